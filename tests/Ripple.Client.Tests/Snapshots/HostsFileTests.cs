using Ripple.Client.Snapshots;
using Ripple.Trust;

namespace Ripple.Client.Tests.Snapshots;

/// <summary>The hosts that a client remembers.</summary>
public sealed class HostsFileTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public HostsFileTests() => Directory.CreateDirectory(_folder.Path);

    private string File => Path.Combine(_folder.Path, "hosts");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void They_come_back_as_they_were_told()
    {
        HostEndpoint[] hosts = [new("one", 7400), new("10.0.0.2", 7401), new("fd00::1", 7402)];
        HostsFile.Write(SystemFiles.Instance, _folder.Path, hosts);
        Assert.Equal(hosts, HostsFile.Read(SystemFiles.Instance, _folder.Path));
        HostsFile.Write(SystemFiles.Instance, _folder.Path, hosts[..1]);
        Assert.Equal(hosts[..1], HostsFile.Read(SystemFiles.Instance, _folder.Path));
    }

    [Fact]
    public void Without_a_file_there_are_none_and_a_failure_to_write_is_none_of_the_callers()
    {
        Assert.Empty(HostsFile.Read(SystemFiles.Instance, _folder.Path));
        HostsFile.Write(SystemFiles.Instance, Path.Combine(_folder.Path, "missing"), [new("one", 7400)]);
    }

    [Theory]
    [InlineData("nonsense\n", 1)]
    [InlineData("one:7400\ntwo\n", 1)]
    [InlineData("one:7400\n", 17)]
    [InlineData("one:7400\n", 1_000)]
    public void A_file_that_is_malformed_or_too_long_has_none(string text, int times)
    {
        SystemFiles.Instance.WriteText(File, string.Concat(Enumerable.Repeat(text, times)));
        Assert.Empty(HostsFile.Read(SystemFiles.Instance, _folder.Path));
    }
}
