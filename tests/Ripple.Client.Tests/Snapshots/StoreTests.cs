using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Ripple.Client.Scheduling;
using Ripple.Client.Snapshots;
using Ripple.Client.State;
using Ripple.Client.Verification;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Tests.Snapshots;

public sealed class StoreTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly SignedStates _states = new();
    private readonly TestLogger _log = new();

    public void Dispose()
    {
        _folder.Dispose();
        _states.Dispose();
    }

    /// <summary>Puts a snapshot that was read through the store's checks; null when it is refused.</summary>
    internal static ApplicationState? TryVerify(SignedStates states, Snapshot snapshot, TestFolder folder)
    {
        SharedVerifier verifier = Verifier(states);
        try
        {
            SnapshotStore store = Open(Settings(states, folder.Path, SnapshotMode.Off), verifier, NullLogger.Instance, _ => null);
            return store.Verify(states.Application, snapshot, out _)?.Applied;
        }
        finally
        {
            verifier.Release();
        }
    }

    [Fact]
    public async Task A_saved_state_is_loaded_by_the_next_run()
    {
        string first;
        await using (SnapshotStore store = Open())
        {
            first = store.Path!;
            Assert.Empty(store.LoadAll());
            Assert.True(await SaveAsync(store, _states.Snapshot(3, ("a", "1"))));
        }

        await using SnapshotStore again = Open();
        ReplicaSnapshot loaded = again.LoadAll()["shop"];
        Assert.Equal(first, again.Path);
        Assert.Equal(3ul, loaded.Applied.Keys.Release);
        Assert.Same(loaded.Applied, loaded.Received);
        Assert.Equal("1", Encoding.UTF8.GetString(loaded.Applied.Values["a"].Span));
    }

    [Fact]
    public async Task Directories_and_files_are_the_owners_only()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("Windows has access lists instead.");
            return;
        }

        await using SnapshotStore store = Open();
        Assert.True(await SaveAsync(store, _states.Snapshot(1, ("a", "1"))));

        const UnixFileMode Owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        Assert.Equal(Owner | UnixFileMode.UserExecute, File.GetUnixFileMode(store.Path!));
        Assert.Equal(Owner | UnixFileMode.UserExecute, File.GetUnixFileMode(Path.GetDirectoryName(store.Path!)!));
        foreach (string file in Directory.GetFiles(store.Path!))
        {
            Assert.Equal(Owner, File.GetUnixFileMode(file));
        }
    }

    [Fact]
    public async Task Two_replicas_on_one_disk_get_two_directories_and_the_second_starts_from_the_first()
    {
        await using SnapshotStore first = Open();
        Assert.True(await SaveAsync(first, _states.Snapshot(3, ("a", "1"))));
        await using SnapshotStore second = Open();

        Assert.NotEqual(first.Path, second.Path);
        Assert.Equal(3ul, second.LoadAll()["shop"].Applied.Keys.Release);
        Assert.True(await SaveAsync(second, _states.Snapshot(2, ("a", "0"))));
        // Its own comes first: it goes on where this replica was.
        Assert.Equal(2ul, second.LoadAll()["shop"].Applied.Keys.Release);
    }

    [Fact]
    public async Task A_damaged_snapshot_is_ignored_with_a_warning()
    {
        await using SnapshotStore store = Open();
        Assert.True(await SaveAsync(store, _states.Snapshot(3, ("a", "1"))));
        string file = Path.Combine(store.Path!, "shop.snapshot");
        byte[] content = File.ReadAllBytes(file);
        content[200] ^= 1;
        File.WriteAllBytes(file, content);

        Assert.Empty(store.LoadAll());
        Assert.Contains(_log.Lines, l => l.Contains(file, StringComparison.Ordinal) && l.Contains("damaged", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_snapshot_of_another_cluster_or_application_is_ignored()
    {
        using var others = new SignedStates();
        using var otherApplication = new SignedStates("cart");
        await using SnapshotStore store = Open();
        string file = Path.Combine(store.Path!, "shop.snapshot");

        SnapshotFile.Write(SystemFiles.Instance, file, others.Snapshot(9, ("a", "forged")), others.Authority.Trust.Der, others.SignerOf);
        Assert.Empty(store.LoadAll());
        Assert.Contains(_log.Lines, l => l.Contains("another cluster", StringComparison.Ordinal));

        // Signed by another cluster, under this one's authority.
        SnapshotFile.Write(SystemFiles.Instance, file, others.Snapshot(9, ("a", "forged")), _states.Authority.Trust.Der, others.SignerOf);
        Assert.Empty(store.LoadAll());
        Assert.Contains(_log.Lines, l => l.Contains("signature", StringComparison.Ordinal));

        ReplicaSnapshot foreign = otherApplication.Snapshot(9, ("a", "1"));
        SnapshotFile.Write(SystemFiles.Instance, file, foreign, _states.Authority.Trust.Der, otherApplication.SignerOf);
        Assert.Empty(store.LoadAll());
        Assert.Contains(_log.Lines, l => l.Contains("'cart'", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_file_system_that_cannot_be_written_is_read()
    {
        await using (SnapshotStore store = Open())
        {
            Assert.True(await SaveAsync(store, _states.Snapshot(3, ("a", "1"))));
        }

        string lockFile = Directory.GetFiles(_folder.Path, "lock", SearchOption.AllDirectories).Single();
        // A directory in its place cannot be locked by anybody, root included: as good as a read-only file system.
        File.Delete(lockFile);
        Directory.CreateDirectory(lockFile);

        await using SnapshotStore readOnly = Open();
        Assert.Null(readOnly.Path);
        Assert.Equal(3ul, readOnly.LoadAll()["shop"].Applied.Keys.Release);
        Assert.Null(readOnly.LoadIdentity());
        Assert.False(readOnly.TrySave("shop", _states.Snapshot(4, ("a", "2")), _ => { }));
        Assert.Contains(_log.Lines, l => l.Contains("No snapshots are kept", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_disk_that_fails_says_so_once_and_saves_again_when_it_works()
    {
        await using SnapshotStore store = Open();
        string beside = Path.Combine(store.Path!, "shop.snapshot.new");
        Directory.CreateDirectory(beside);
        Assert.False(await SaveAsync(store, _states.Snapshot(1, ("a", "1"))));
        Assert.False(await SaveAsync(store, _states.Snapshot(2, ("a", "1"))));
        Directory.Delete(beside);

        Assert.True(await SaveAsync(store, _states.Snapshot(3, ("a", "1"))));
        Assert.Single(_log.Lines, l => l.Contains("cannot be written", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Without_home_and_state_directory_the_client_runs_without_snapshots()
    {
        await using SnapshotStore store = Open(Settings(_states, null, SnapshotMode.On), Verifier(_states), _log, _ => null);
        Assert.Null(store.Path);
        Assert.Empty(store.LoadAll());
        Assert.Contains(_log.Lines, l => l.Contains(SnapshotPaths.Variable, StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_first_directory_that_can_be_written_is_taken()
    {
        string blocked = _folder.Sub("file");
        await File.WriteAllTextAsync(blocked, "not a directory", TestContext.Current.CancellationToken);
        string? Environment(string name) => name switch
        {
            "STATE_DIRECTORY" => blocked,
            "XDG_STATE_HOME" => _folder.Sub("xdg"),
            "LOCALAPPDATA" => _folder.Sub("local"),
            _ => null,
        };
        await using SnapshotStore store = Open(Settings(_states, null, SnapshotMode.On), Verifier(_states), _log, Environment);
        Assert.StartsWith(OperatingSystem.IsWindows() ? _folder.Sub("local") : _folder.Sub("xdg"), store.Path, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("shop", true, true)]
    [InlineData("cart", true, false)]
    [InlineData("shop", false, false)]
    public async Task An_identity_is_shown_again_for_the_application_and_the_token_it_was_given_for(
        string application, bool isOfToken, bool isShown)
    {
        ClientSettings settings = Settings(_states, _folder.Path, SnapshotMode.On);
        await using SnapshotStore store = Open(settings, Verifier(_states), _log, _ => null);
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        string token = isOfToken ? settings.Connection.ReadToken().Id : AccessTokenSecret.New().Id;
        var identity = new NodeIdentity(_states.Authority.ClusterId, Id128.New(), application, NodeRoles.Node, token);
        using X509Certificate2 issued = _states.Authority.IssueNode(key.ExportSubjectPublicKeyInfo(), identity, "web-1")!;
        using X509Certificate2 own = issued.CopyWithPrivateKey(key);
        store.SaveIdentity(own);

        using X509Certificate2? shown = store.LoadIdentity();

        Assert.Equal(isShown ? own.Thumbprint : null, shown?.Thumbprint);
    }

    private static ClientSettings Settings(SignedStates states, string? directory, SnapshotMode mode) =>
        SettingsResolver.Resolve(states.ConnectionString(), new() { SnapshotDirectory = directory, SnapshotMode = mode });

    private static SharedVerifier Verifier(SignedStates states)
    {
        var verifier = SharedVerifier.Acquire(states.Authority.Trust.Fingerprint.Span);
        verifier.TrySetTrust(states.Authority.Trust);
        verifier.TryAddSigner(states.SignerCertificate);
        return verifier;
    }

    private static async Task<bool> SaveAsync(SnapshotStore store, ReplicaSnapshot snapshot)
    {
        var saved = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        Assert.True(store.TrySave("shop", snapshot, saved.SetResult));
        return await saved.Task;
    }

    private SnapshotStore Open() =>
        Open(Settings(_states, _folder.Path, SnapshotMode.On), Verifier(_states), _log, _ => null);

    private static SnapshotStore Open(
        ClientSettings settings, SharedVerifier verifier, ILogger logger, Func<string, string?> environment) =>
        SnapshotStore.Open(settings, verifier, logger, environment, PoolScheduler.Instance, SystemFiles.Instance);
}
