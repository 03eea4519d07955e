#!/bin/sh
# Proves the ISA limit on a CPU that is not here: a small Debian under the emulator Bochs, whose CPU has AVX-512,
# measures digits-cnn with torch and IPEX, free and under runtime.isa_limit=avx2 (isa_limit.py beside this file).
# The first must show kernels for AVX-512, the second none. No part of the test suite: it takes about two hours of one
# core, 30 GB of disk, 2 GB of memory, and root.
#
#   apt install bochs bochs-sdl busybox-static debootstrap isolinux syslinux-common xorriso python3.11 python3-pip
#   tests/emulated/avx512.sh [FOLDER]        ends with 0 if proven; the trials lie in FOLDER/results
#
# MODEL=NAME takes another CPU of `bochs --help cpu`. A machine that is in FOLDER already is not built anew.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-/var/tmp/emulated-avx512}" && cd "${1:-/var/tmp/emulated-avx512}"

if [ ! -f root.img ]; then
    debootstrap --variant=minbase --include=python3.11-minimal,libpython3.11-stdlib,linux-image-amd64 bookworm tree
    python3.11 -m pip install --target tree/usr/lib/python3/dist-packages "$here/../.."
    cp "$here/isa_limit.py" /bin/busybox tree/opt/
    cat > tree/opt/init << 'END'
#!/bin/sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp WORKBENCH_DATA_DIR=/tmp WORKBENCH_CACHE_DIR=/tmp
mount -t tmpfs tmpfs /tmp && mkdir -p /dev/shm && mount -t tmpfs tmpfs /dev/shm
python3.11 /opt/isa_limit.py /results < /dev/null > /dev/ttyS0 2>&1 && touch /results/proven
sync; mount -o remount,ro /; /opt/busybox poweroff -f
END
    chmod +x tree/opt/init

    # Just enough to reach the disk; Debian's own initrd takes minutes to unpack here.
    mkdir -p initrd/bin initrd/modules initrd/proc initrd/sys initrd/dev initrd/root iso
    cp /bin/busybox initrd/bin/
    count=100
    for module in ata_piix ext4 sd_mod; do
        chroot tree modprobe -S "$(ls tree/lib/modules)" --show-depends $module
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
        count=$((count + 1))
        cp "tree$file" "initrd/modules/$count.ko"
    done
    cat > initrd/init << 'END'
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc && /bin/busybox --install /bin
mount -t sysfs sys /sys && mount -t devtmpfs dev /dev
for module in /modules/*; do insmod $module; done
until [ -b /dev/sda ]; do sleep 0.1; done
mount -t ext4 /dev/sda /root
for place in proc sys dev; do mount --move /$place /root/$place; done
exec switch_root /root /opt/init
END
    chmod +x initrd/init
    (cd initrd && find . | busybox cpio -o -H newc | gzip -9) > iso/initrd.gz
    cp tree/boot/vmlinuz-* iso/linux
    cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 iso/
    # Bochs 2.7 tells wrong sizes of compacted XSAVE areas and of that of protection keys; Linux then does without AVX.
    cat > iso/isolinux.cfg << 'END'
DEFAULT linux
LABEL linux
  KERNEL /linux
  APPEND initrd=/initrd.gz console=ttyS0,115200 nopcid clearcpuid=pku,ospke,xsaves,xsavec,invpcid,smap,smep,umip,fsgsbase,rdpid idle=halt mitigations=off nokaslr tsc=reliable clocksource=tsc no_timer_check panic=-1 rw
END
    xorriso -as mkisofs -quiet -o boot.iso -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 \
        -boot-info-table iso
    mkfs.ext4 -q -O ^has_journal -d tree root.img 14G
    rm -r --one-file-system tree initrd iso
fi

# Time follows the instructions (sync=none): what the workbench waits for comes in good time, however slow this is.
cat > bochsrc << END
config_interface: textconfig
display_library: sdl2
cpu: model=${MODEL:-corei7_skylake_x}, count=1, ips=250000000, reset_on_triple_fault=0
memory: guest=2000, host=2000
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
clock: sync=none, time0=1700000000
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=disk, path=root.img, mode=flat
ata0-slave: type=cdrom, path=boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=serial.txt
log: bochs.log
panic: action=fatal
END
echo continue > start
SDL_VIDEODRIVER=dummy nice bochs-bin -q -f bochsrc -rc start < /dev/null > bochs.out 2>&1 || true
rm -rf results && debugfs -R "rdump /results ." root.img 2> /dev/null
cat serial.txt && test -f results/proven
