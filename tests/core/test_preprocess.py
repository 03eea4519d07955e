"""Preprocessing: every kind of file becomes the same tensor, and impossible settings are refused."""

import struct
import subprocess
import sys
import zlib

import cv2
import msgspec
import numpy as np
import pytest

from workbench.core.picture import BrokenImageError, sniff
from workbench.core.pixels import cast
from workbench.core.preprocess import Preprocess
from workbench.errors import UserError


def png(mode: int, depth: int, width: int, height: int, rows: bytes, *extra: tuple[bytes, bytes]) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, depth, mode, 0, 0, 0)
    parts = [(b"IHDR", header), *extra, (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def encoded(array: np.ndarray, extension: str = ".png") -> bytes:
    return cv2.imencode(extension, array)[1].tobytes()


def noise(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)


PALETTE = (b"PLTE", bytes([255, 0, 0, 0, 0, 255]))


@pytest.mark.parametrize(
    ("data", "mode", "first"),
    [
        (encoded(np.full((4, 5, 3), (10, 20, 30), np.uint8)), "rgb", (30, 20, 10)),
        (encoded(np.full((4, 5), 77, np.uint8)), "gray", (77, 77, 77)),
        (encoded(np.full((4, 5), 65535, np.uint16)), "gray16", (255, 255, 255)),
        (encoded(np.full((4, 5), 257 * 90, np.uint16)), "gray16", (90, 90, 90)),
        (encoded(np.full((4, 5, 4), (10, 20, 30, 0), np.uint8)), "rgba", (255, 255, 255)),
        (encoded(np.full((4, 5, 4), (10, 20, 30, 255), np.uint8)), "rgba", (30, 20, 10)),
        (encoded(np.full((4, 5, 4), (0, 0, 100, 51), np.uint8)), "rgba", (224, 204, 204)),
        (png(3, 8, 2, 1, b"\0\0\1", PALETTE), "palette", (255, 0, 0)),
        (png(3, 8, 2, 1, b"\0\0\1", PALETTE, (b"tRNS", b"\0")), "palette-alpha", (255, 255, 255)),
        (png(4, 8, 1, 1, b"\0\x64\xff"), "gray-alpha", (100, 100, 100)),
        (encoded(np.full((4, 5, 3), (10, 20, 30), np.uint8), ".bmp"), "rgb", (30, 20, 10)),
    ],
)
def test_every_mode_becomes_rgb(data: bytes, mode: str, first: tuple[int, ...]) -> None:
    decoded = Preprocess().decode(data)
    assert decoded.mode == mode
    assert decoded.pixels.dtype == np.uint8 and decoded.pixels.shape[2] == 3
    assert tuple(int(v) for v in decoded.pixels[0, 0]) == first
    assert Preprocess(size=8).from_bytes(data).shape == (1, 3, 8, 8)


def test_cmyk_jpeg() -> None:
    image = pytest.importorskip("PIL.Image")
    import io

    buffer = io.BytesIO()
    image.new("RGB", (16, 16), (200, 30, 30)).convert("CMYK").save(buffer, "JPEG", quality=95)
    decoded = Preprocess().decode(buffer.getvalue())
    assert decoded.mode == "cmyk"
    assert np.abs(decoded.pixels[8, 8].astype(int) - (200, 30, 30)).max() < 12


def test_exif_orientation_is_applied() -> None:
    plain = encoded(noise(8, 24, 3), ".jpg")
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    turned = plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:]
    assert Preprocess().decode(plain).pixels.shape == (8, 24, 3)
    assert Preprocess().decode(turned).pixels.shape == (24, 8, 3)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"hello, this is text", "not a picture"),
        (encoded(noise(32, 32, 3))[:-40], "cut off"),
        (encoded(noise(64, 64, 3), ".jpg")[:-300], "cut off"),
        (b"\xff\xd8\xff", "cut off"),
        (encoded(noise(32, 32, 3)).replace(b"IDAT", b"IDAX"), "checksum"),
        (encoded(np.zeros((4, 4), np.float32), ".tiff"), "float32"),
    ],
)
def test_broken_pictures_are_named_not_fatal(data: bytes, reason: str) -> None:
    with pytest.raises(BrokenImageError, match=reason):
        Preprocess().decode(data)


@pytest.mark.parametrize("extension", [".png", ".jpg"])
def test_any_cut_is_noticed_before_decoding(extension: str) -> None:
    data = encoded(noise(24, 24, 3), extension)
    assert sniff(data) == "rgb"
    for length in range(1, len(data) - 2, 97):
        with pytest.raises(BrokenImageError):
            Preprocess().decode(data[:length])


def test_values_layout_and_colour() -> None:
    image = noise(6, 7, 3)
    mean, std = (10.0, 20.0, 30.0), (2.0, 4.0, 8.0)
    want = (image.astype(np.float64) - mean) / std
    rgb = Preprocess(mean=mean, std=std).apply(image)
    assert rgb.dtype == np.float32 and rgb.flags.c_contiguous
    np.testing.assert_allclose(rgb[0], want.transpose(2, 0, 1), rtol=1e-6)
    nhwc = Preprocess(mean=mean, std=std, layout="nhwc", color="bgr").apply(image)
    np.testing.assert_allclose(nhwc[0], (image[..., ::-1].astype(float) - mean) / std, rtol=1e-6)
    gray = Preprocess(color="gray", dtype="uint8").apply(image)
    np.testing.assert_allclose(gray[0, 0], image @ np.array([0.299, 0.587, 0.114]), atol=1)
    np.testing.assert_array_equal(Preprocess(dtype="uint8").apply(image[..., 0])[0, 1], image[..., 0])


def test_integer_types_round_and_saturate() -> None:
    image = np.array([[0, 127, 128, 255]], np.uint8)
    assert Preprocess(color="gray", mean=(128.0,), dtype="int8").apply(image)[0, 0].tolist() == [[-128, -1, 0, 127]]
    assert cast(np.array([-5.0, 1.6, 300.0]), "uint8").tolist() == [0, 2, 255]
    assert cast(np.array([1e30, -1e30]), "int64").tolist()[1] == np.iinfo(np.int64).min
    assert cast(np.ones(2), "bfloat16").dtype == np.float32


@pytest.mark.parametrize(
    ("options", "shape"),
    [
        ({}, (40, 80)),
        ({"size": (16, 24)}, (16, 24)),
        ({"size": 20, "resize": "shorter"}, (20, 40)),
        ({"size": (30, 30), "resize": "shorter", "crop": (28, 26)}, (28, 26)),
        ({"size": 32, "resize": "letterbox"}, (32, 32)),
        ({"crop": 8}, (8, 8)),
    ],
)
def test_shapes_are_foretold(options: dict, shape: tuple[int, int]) -> None:
    preprocess = Preprocess(**options)
    assert preprocess.output_shape(40, 80) == (1, 3, *shape)
    assert preprocess.apply(noise(40, 80, 3)).shape == (1, 3, *shape)


def test_letterbox_centres_and_crop_is_central() -> None:
    boxed = Preprocess(size=8, resize="letterbox", dtype="uint8").apply(np.full((4, 8, 3), 9, np.uint8))[0, 0]
    assert (boxed[2:6] == 9).all() and (boxed[:2] == 114).all() and (boxed[6:] == 114).all()
    image = noise(9, 9, 3)
    np.testing.assert_array_equal(Preprocess(crop=3, dtype="uint8", layout="nhwc").apply(image)[0], image[3:6, 3:6])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"std": (0.0,)}, ["preprocess.std", "(0.0,)", "zero"]),
        ({"std": (1.0, 1.0)}, ["preprocess.std", "one value or 3"]),
        ({"mean": (1.0, 1.0, 1.0), "color": "gray"}, ["preprocess.mean", "one value"]),
        ({"mean": (float("nan"),)}, ["preprocess.mean", "finite"]),
        ({"size": -4}, ["preprocess.size", "-4", "1 to 32768"]),
        ({"crop": (0, 3)}, ["preprocess.crop"]),
        ({"size": 16, "crop": 20}, ["preprocess.crop", "20", "16×16"]),
        ({"color": "rbg"}, ["preprocess.color", "rgb, bgr, gray", "Did you mean"]),
        ({"resize": "letterbox"}, ["preprocess.resize", "size"]),
    ],
)
def test_senseless_settings_are_refused(options: dict, words: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        Preprocess(**options)
    assert all(word in str(caught.value) for word in words)


def test_crop_larger_than_a_picture_names_both() -> None:
    with pytest.raises(UserError, match="10×12"):
        Preprocess(crop=16).apply(noise(10, 12, 3))


def test_round_trip_and_unknown_fields() -> None:
    preprocess = Preprocess(size=(3, 4), mean=(1.0, 2.0, 3.0))
    assert msgspec.json.decode(msgspec.json.encode(preprocess), type=Preprocess) == preprocess
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"sise": 3}, Preprocess)


def test_opencv_is_late_and_single_threaded() -> None:
    program = (
        "import sys\nfrom workbench.core.preprocess import Preprocess\nPreprocess(size=4)\n"
        "assert 'cv2' not in sys.modules and 'torch' not in sys.modules\n"
        "import numpy as np\nPreprocess(size=4).apply(np.zeros((9, 9, 3), np.uint8))\n"
        "assert sys.modules['cv2'].getNumThreads() == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
