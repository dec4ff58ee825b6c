# Untried: a formula for Homebrew on Linux, for whoever wants to hand it in. `make dist` fills in what is between @ and
# writes it to build/recipes/.
class Tracetty < Formula
  desc "Explore deep-learning profiler traces in a terminal"
  homepage "@HOME@"
  url "@URL@"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on "cairo"
  depends_on "isa-l"
  depends_on :linux
  depends_on "ncurses"
  depends_on "simdjson"
  depends_on "sqlite"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "make", "PREFIX=#{prefix}", "install"
  end

  test do
    assert_match "tracetty #{version}", shell_output("#{bin}/tracetty --version")
    assert_match "recorder", shell_output("#{bin}/tracetty doctor")
  end
end
