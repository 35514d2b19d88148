using System.Diagnostics;
using System.Text;
using Ripple.Client.Snapshots;

namespace Ripple.Client.Tests.Snapshots;

/// <summary>Directories that others may write to, or could once: nothing of theirs is written to, read, or waited for.</summary>
public sealed class SystemFilesTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly SystemFiles _files = SystemFiles.Instance;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_link_in_place_of_a_new_file_is_replaced_and_not_followed()
    {
        string target = _folder.Sub("target");
        File.WriteAllText(target, "another's");
        foreach (string name in (string[])["shop.snapshot.new", "confirmed.new"])
        {
            File.CreateSymbolicLink(_folder.Sub(name), target);
        }

        _files.Write(_folder.Sub("shop.snapshot.new"), file => file.Write("mine"u8));
        _files.WriteText(_folder.Sub("confirmed.new"), "now");

        Assert.Equal("another's", File.ReadAllText(target));
        Assert.Equal("mine", File.ReadAllText(_folder.Sub("shop.snapshot.new")));
        Assert.Equal("now", File.ReadAllText(_folder.Sub("confirmed.new")));
        Assert.Null(new FileInfo(_folder.Sub("confirmed.new")).LinkTarget);
    }

    [Fact]
    public void A_link_is_not_read_and_no_lock()
    {
        File.WriteAllText(_folder.Sub("target"), "another's");
        File.CreateSymbolicLink(_folder.Sub("link"), _folder.Sub("target"));
        File.CreateSymbolicLink(_folder.Sub("lock"), _folder.Sub("made-elsewhere"));

        var refused = Assert.Throws<IOException>(() => _files.OpenRead(_folder.Sub("link")));
        Assert.Contains("is a link", refused.Message, StringComparison.Ordinal);
        Assert.Throws<IOException>(() => _files.TryLock(_folder.Sub("lock")));
        Assert.False(File.Exists(_folder.Sub("made-elsewhere")));
    }

    [Fact]
    public async Task A_pipe_in_place_of_a_snapshot_is_not_waited_for()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Pipes with names are told apart on Linux.");
        string path = _folder.Sub("shop.snapshot");
        Run("mkfifo", path);

        Task<(Snapshot? Snapshot, string Error)> reading = Task.Run(
            () => (SnapshotFile.TryRead(_files, path, out string error), error), TestContext.Current.CancellationToken);

        (Snapshot? snapshot, string why) = await reading.WaitAsync(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken);
        Assert.Null(snapshot);
        Assert.Contains("a pipe", why, StringComparison.Ordinal);
    }

    [Fact]
    public void Others_lose_the_right_to_write_to_the_directories_this_library_made()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has access lists instead.");
            return;
        }

        string parent = ReplicaDirectory.ParentOf(_folder.Path, new byte[32], "shop");
        ReplicaDirectory.TryClaim(_files, parent, out _)!.Dispose();
        const UnixFileMode Open = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute
            | UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;
        File.SetUnixFileMode(Path.Combine(parent, "replica-0"), Open);
        File.SetUnixFileMode(parent, Open);

        using ReplicaDirectory claimed = ReplicaDirectory.TryClaim(_files, parent, out string error)!;

        Assert.True(claimed is not null, error);
        foreach (string path in (string[])[parent, claimed.Path])
        {
            Assert.Equal((UnixFileMode)0, File.GetUnixFileMode(path) & (UnixFileMode.GroupWrite | UnixFileMode.OtherWrite));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("replica-0")]
    public void A_directory_or_file_of_another_user_is_not_used(string inside)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux() && Environment.UserName == "root", "Only root gives files away.");
        string parent = ReplicaDirectory.ParentOf(_folder.Path, new byte[32], "shop");
        ReplicaDirectory.TryClaim(_files, parent, out _)!.Dispose();
        string given = Path.Combine(parent, inside);
        string file = _folder.Sub("file");
        File.WriteAllText(file, "x", Encoding.ASCII);
        Run("chown", "65534", given, file);

        Assert.Null(ReplicaDirectory.TryClaim(_files, parent, out string error));

        Assert.Contains("belongs to another user", error, StringComparison.Ordinal);
        Assert.Contains(
            "belongs to another user", Assert.Throws<IOException>(() => _files.OpenRead(file)).Message, StringComparison.Ordinal);
    }

    private static void Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(program, arguments);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }
}
