"""What stands between this process and the machine: a container, a virtual machine. Used by ``machine``."""

from __future__ import annotations

from pathlib import Path

from workbench.host._files import read_text

# Marks in the paths of control groups, as the runtimes choose them.
_GROUPS = {"kubepods": "Kubernetes", "docker": "Docker", "libpod": "Podman", "lxc": "LXC", "containerd": "containerd"}
# Marks in what the firmware says of its maker or product.
_MACHINES = {
    "kvm": "KVM", "qemu": "QEMU", "vmware": "VMware", "virtualbox": "VirtualBox", "innotek": "VirtualBox",
    "xen": "Xen", "microsoft corporation virtual": "Hyper-V", "amazon ec2": "Amazon EC2",
    "google compute": "Google Compute Engine", "openstack": "OpenStack", "parallels": "Parallels", "bochs": "Bochs",
}  # fmt: skip


def container(root: Path = Path("/")) -> str | None:
    """Return what kind of container this process runs in, ``None`` where nothing speaks for one."""
    for text in (read_text(root / "proc/self/cgroup"), read_text(root / "proc/1/cgroup")):
        for mark, name in _GROUPS.items():
            if mark in (text or ""):
                return name
    if read_text(root / ".dockerenv") is not None:
        return "Docker"
    if read_text(root / "run/.containerenv") is not None:
        return "Podman"
    named = read_text(root / "run/systemd/container")
    if named:
        return named
    kernel = (read_text(root / "proc/version") or "").lower()
    return "WSL" if "microsoft" in kernel else None


def virtual_machine(root: Path = Path("/"), *, announced: bool = False) -> str | None:
    """Return which virtual machine this is, ``None`` where nothing speaks for one.

    Args:
        announced: whether the CPU's flags name a hypervisor; then the answer is ``unknown`` at least.
    """
    folder = root / "sys/class/dmi/id"
    said = " ".join(read_text(folder / name) or "" for name in ("sys_vendor", "product_name")).lower()
    for mark, name in _MACHINES.items():
        if mark in said:
            return name
    hypervisor = read_text(root / "sys/hypervisor/type")
    return hypervisor or ("unknown" if announced else None)
