# Untried: a recipe for Spack, for whoever wants to submit it. `make dist` replaces the words between @ and writes the
# recipe to build/recipes/.
from spack.package import *


class Tracetty(MakefilePackage):
    """Explore deep-learning profiler traces in a terminal: of PyTorch, Paddle, MindSpore, XLA, Nsight Systems, ROCm."""

    homepage = "@HOME@"
    url = "@URL@"

    license("Apache-2.0")

    version("@VERSION@", sha256="@SHA256@")

    variant("isal", default=True, description="Read gzip with ISA-L, which is faster")
    variant("zstd", default=True, description="Read .zst files")
    variant("sqlite", default=True, description="Read databases, answer SQL")
    variant("cairo", default=True, description="Write PNG pictures")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("simdjson@1:")
    depends_on("ncurses+termlib")
    depends_on("zlib-api")
    depends_on("isa-l", when="+isal")
    depends_on("zstd", when="+zstd")
    depends_on("sqlite@3.38:", when="+sqlite")
    depends_on("cairo", when="+cairo")

    conflicts("platform=darwin", msg="Linux only")
    conflicts("platform=windows", msg="Linux only")

    def build(self, spec, prefix):
        make("PREFIX=" + prefix, "V=1")

    def install(self, spec, prefix):
        make("PREFIX=" + prefix, "V=1", "install")
