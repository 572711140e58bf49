# SPDX-License-Identifier: MIT
"""Arrays of numpy, read and written by hand: 128 bytes of header, then doubles; and a folder with states of six joints in one."""
import random
import struct

from support import Program


def array(rows, columns, kind="<f8", order="False", shape=None):
    """An array as numpy.save writes it."""
    shape = shape or "(%d, %d)" % (len(rows), columns)
    head = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (kind, order, shape)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + head.ljust(117).encode() + b"\n" + b"".join(
        struct.pack("<%dd" % columns, *r) for r in rows)


def numbers(data):
    """The rows of an array."""
    size, = struct.unpack("<H", data[8:10])
    head = data[10:10 + size].decode()
    rows, columns = eval(head.split("'shape':")[1].split(")")[0] + ")")
    assert "'<f8'" in head and "False" in head and len(data) == 10 + size + 8 * rows * columns, head
    return [struct.unpack_from("<%dd" % columns, data, 10 + size + 8 * columns * i) for i in range(rows)]


class States(Program):
    COUNT = 1500  # more than a block of input

    def setUp(self):
        super().setUp()
        r = random.Random(3)
        self.rows = [[r.uniform(-2, 2) for _ in range(24)] for _ in range(self.COUNT)]
        self.write("s.npy", array(self.rows, 24))

    def bytes_of(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def repeated(self, name, copies):
        """The rows of s.npy so many times."""
        with open(self.path(name), "wb") as f:
            f.write(array([], 24, shape="(%d, 24)" % (copies * self.COUNT))[:128])
            data = self.bytes_of("s.npy")[128:]
            for _ in range(copies):
                f.write(data)
        return name
