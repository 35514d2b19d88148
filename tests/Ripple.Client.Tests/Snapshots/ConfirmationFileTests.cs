using Ripple.Client.Snapshots;

namespace Ripple.Client.Tests.Snapshots;

/// <summary>The age of a snapshot on disk.</summary>
public sealed class ConfirmationFileTests : IDisposable
{
    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void What_is_written_is_read_in_whole_seconds()
    {
        Assert.Null(ConfirmationFile.TryRead(SystemFiles.Instance, _folder.Path));
        var at = new DateTimeOffset(2026, 1, 2, 3, 4, 5, 678, TimeSpan.FromHours(2));
        ConfirmationFile.Write(SystemFiles.Instance, _folder.Path, at);
        Assert.Equal(new DateTimeOffset(2026, 1, 2, 1, 4, 5, TimeSpan.Zero), ConfirmationFile.TryRead(SystemFiles.Instance, _folder.Path));
    }

    [Theory]
    [InlineData("")]
    [InlineData("yesterday")]
    [InlineData("2026-01-02T03:04:05Z and much more that nobody wrote there, so that it is too long")]
    public void What_is_damaged_is_not_known(string content)
    {
        File.WriteAllText(_folder.Sub("confirmed"), content);
        Assert.Null(ConfirmationFile.TryRead(SystemFiles.Instance, _folder.Path));
    }
}
