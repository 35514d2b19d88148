using Ripple.Client.Snapshots;

namespace Ripple.Client.Tests.Snapshots;

public sealed class SnapshotPathsTests
{
    private static readonly Dictionary<string, string> Everything = new()
    {
        ["RIPPLE_STATE_DIRECTORY"] = "/named",
        ["STATE_DIRECTORY"] = "/var/lib/shop:/var/lib/other",
        ["XDG_STATE_HOME"] = "/xdg",
        ["HOME"] = "/srv/me",
        ["LOCALAPPDATA"] = "/local",
    };

    [Fact]
    public void What_the_program_says_is_the_only_candidate() =>
        Assert.Equal([Path.GetFullPath("/mine")], SnapshotPaths.Candidates("/mine", n => Everything.GetValueOrDefault(n), false));

    [Fact]
    public void The_variable_is_the_only_candidate_after_that() =>
        Assert.Equal([Path.GetFullPath("/named")], SnapshotPaths.Candidates(null, n => Everything.GetValueOrDefault(n), false));

    [Fact]
    public void Unix_looks_at_systemd_then_xdg_then_home()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The paths are Unix paths.");
        Assert.Equal(
            ["/var/lib/shop/ripple", "/xdg/ripple", "/srv/me/.local/state/ripple"],
            SnapshotPaths.Candidates(null, n => n == SnapshotPaths.Variable ? null : Everything.GetValueOrDefault(n), false));
    }

    [Fact]
    public void Windows_looks_at_the_local_application_data()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "The paths are Unix paths.");
        Assert.Equal(["/local/Ripple"], SnapshotPaths.Candidates(null, n => n == "LOCALAPPDATA" ? Everything[n] : null, true));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("relative/path")]
    public void A_variable_that_is_no_absolute_path_is_passed_over(string value) =>
        Assert.Empty(SnapshotPaths.Candidates(null, n => n == "HOME" ? value : null, false));
}
