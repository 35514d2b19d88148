using System.Security.Cryptography.X509Certificates;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Ripple.Client.Diagnostics;
using Ripple.Client.Scheduling;
using Ripple.Client.State;
using Ripple.Client.Verification;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Snapshots;

/// <summary>
/// One client's files: its identity and a snapshot of each application. They are read before the node is created, and written by a single
/// task. Without a writable directory the store only reads; with snapshots off it does nothing.
/// </summary>
internal sealed class SnapshotStore : IAsyncDisposable
{
    private const string Extension = ".snapshot";
    // Never full: each application (64 at most) has one save in progress at a time, and confirmations arrive once a minute, hosts seldom.
    private const int SavesMax = 128;

    private readonly ClientSettings _settings;
    private readonly SharedVerifier _verifier;
    private readonly ILogger _logger;
    private readonly IClientScheduler _scheduler;
    private readonly ISnapshotFiles _files;
    private readonly ReplicaDirectory? _directory;
    private readonly IReadOnlyList<string> _readable;
    private readonly Channel<Save> _saves;
    private readonly HashSet<string> _failing = new(StringComparer.Ordinal);
    private readonly Task _writing;

    private SnapshotStore(
        ClientSettings settings,
        SharedVerifier verifier,
        ILogger logger,
        IClientScheduler scheduler,
        ISnapshotFiles files,
        ReplicaDirectory? directory,
        IReadOnlyList<string> readable)
    {
        _settings = settings;
        _verifier = verifier;
        _logger = logger;
        _scheduler = scheduler;
        _files = files;
        _saves = Channel.CreateBounded<Save>(new BoundedChannelOptions(SavesMax)
        {
            SingleReader = true,
            AllowSynchronousContinuations = scheduler.Completions != TaskCreationOptions.RunContinuationsAsynchronously,
        });
        _directory = directory;
        _readable = readable;
        _writing = directory is null ? Task.CompletedTask : scheduler.Run(WriteAllAsync).Unwrap();
    }

    /// <summary>The directory written to; null if nothing is saved.</summary>
    public string? Path => _directory?.Path;

    /// <summary>
    /// The last time a host confirmed that the loaded snapshot was the newest; null if unknown, and before <see cref="LoadAll"/>.
    /// </summary>
    public DateTimeOffset? ConfirmedAt { get; private set; }

    private string? IdentityPath => Path is null ? null : System.IO.Path.Combine(Path, "identity.pem");

    /// <summary>Claims the first writable directory. Blocks on disk I/O.</summary>
    /// <param name="settings">The client's settings.</param>
    /// <param name="verifier">Verifies the snapshots read.</param>
    /// <param name="logger">Receives the log.</param>
    /// <param name="environment">Reads an environment variable.</param>
    /// <param name="scheduler">Runs the task that writes.</param>
    /// <param name="files">The files.</param>
    public static SnapshotStore Open(
        ClientSettings settings,
        SharedVerifier verifier,
        ILogger logger,
        Func<string, string?> environment,
        IClientScheduler scheduler,
        ISnapshotFiles files)
    {
        if (settings.SnapshotMode == SnapshotMode.Off)
        {
            return new(settings, verifier, logger, scheduler, files, null, []);
        }

        var reasons = new List<string>();
        var readable = new List<string>();
        foreach (string candidate in SnapshotPaths.Candidates(settings.SnapshotDirectory, environment, OperatingSystem.IsWindows()))
        {
            string parent = ReplicaDirectory.ParentOf(candidate, settings.Connection.Authority.Span, settings.Application);
            ReplicaDirectory? directory = ReplicaDirectory.TryClaim(files, parent, out string error);
            readable.AddRange(ReplicaDirectory.FindAll(files, parent));
            if (directory is not null)
            {
                ClientLog.SnapshotsKept(logger, directory.Path);
                readable.RemoveAll(r => r == directory.Path);
                return new(settings, verifier, logger, scheduler, files, directory, [directory.Path, .. readable]);
            }

            reasons.Add(error.EndsWith('.') ? error : error + ".");
        }

        string reason = reasons.Count > 0 ? string.Join(' ', reasons) : "neither a state directory nor a home directory is known.";
        ClientLog.SnapshotsOff(logger, reason, SnapshotPaths.Variable);
        return new(settings, verifier, logger, scheduler, files, null, readable);
    }

    /// <summary>
    /// Reads and verifies the snapshot of each application: the client's own, or else the newest from another replica. A snapshot that
    /// cannot be verified is skipped with a warning. Blocks on disk I/O.
    /// </summary>
    public Dictionary<string, ReplicaSnapshot> LoadAll()
    {
        var snapshots = new Dictionary<string, ReplicaSnapshot>(StringComparer.Ordinal);
        foreach (string application in _settings.Applications)
        {
            if (Load(application) is { } snapshot)
            {
                snapshots.Add(application, snapshot);
                if (snapshot.Applied.Proof is { } proof)
                {
                    DateTimeOffset time = DateTimeOffset.UnixEpoch.AddTicks(proof.Header.TimeUnixMicros * TimeSpan.TicksPerMicrosecond);
                    ClientLog.SnapshotRestored(_logger, application, snapshot.Applied.Keys.Release, time);
                }
                else
                {
                    ClientLog.NothingAccepted(_logger, application, snapshot.Received.Keys.Release);
                }
            }
        }

        return snapshots;
    }

    /// <summary>
    /// The certificate and key saved by an earlier process. Null if there is none, if it has expired, or if it belongs to another
    /// application or token; the node then enrolls again.
    /// </summary>
    public X509Certificate2? LoadIdentity()
    {
        if (IdentityPath is not { } path || _files.TryLoadCertificate(path) is not { } certificate)
        {
            return null;
        }

        bool isOurs = IdentityReader.Read(certificate, out CertificateIdentity? identity) == IdentityStatus.Ok
            && identity is NodeIdentity node && node.Application == _settings.Application
            && (TokenId() is not { } tokenId || tokenId == node.TokenId);
        if (isOurs && _scheduler.Clock.GetUtcNow() < certificate.NotAfter)
        {
            return certificate;
        }

        certificate.Dispose();
        return null;
    }

    /// <summary>Saves the certificate and its key; a failure is logged. Blocks on disk I/O.</summary>
    public void SaveIdentity(X509Certificate2 certificate)
    {
        if (IdentityPath is not { } path)
        {
            return;
        }

        try
        {
            _files.SaveCertificate(path, certificate);
            _files.FlushDirectory(Path!);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or System.Security.Cryptography.CryptographicException)
        {
            ClientLog.IdentityNotKept(_logger, path, e.Message);
        }
    }

    /// <summary>
    /// Queues a state to be saved. <paramref name="done"/> runs on the thread pool: true once the state is on disk, false if saving failed.
    /// Returns false, without calling it, if no snapshots are kept. Thread-safe.
    /// </summary>
    public bool TrySave(string application, ReplicaSnapshot snapshot, Action<bool> done) =>
        _directory is not null && _saves.Writer.TryWrite(new Save(application, snapshot, done));

    /// <summary>Queues the time a host last confirmed this client's releases to be saved; null saves nothing. Thread-safe.</summary>
    public void Keep(DateTimeOffset? confirmedAt)
    {
        if (_directory is not null && confirmedAt is { } at)
        {
            _saves.Writer.TryWrite(new Save(string.Empty, null, _ => ConfirmationFile.Write(_files, Path!, at)));
        }
    }

    /// <summary>The hosts that an earlier process was told of; none if it was told none. Blocks on disk I/O.</summary>
    public IReadOnlyList<HostEndpoint> LoadHosts() =>
        _readable.Select(directory => HostsFile.Read(_files, directory)).FirstOrDefault(hosts => hosts.Count > 0) ?? [];

    /// <summary>Queues where the hosts of the cluster are to be saved. Thread-safe.</summary>
    public void Keep(IReadOnlyList<HostEndpoint> hosts)
    {
        if (_directory is not null)
        {
            _saves.Writer.TryWrite(new Save(string.Empty, null, _ => HostsFile.Write(_files, Path!, hosts)));
        }
    }

    /// <summary>Completes the queued writes and releases the directory.</summary>
    public async ValueTask DisposeAsync()
    {
        _saves.Writer.TryComplete();
        await _writing.ConfigureAwait(false);
        _directory?.Dispose();
    }

    private string? TokenId()
    {
        try
        {
            return _settings.Connection.ReadToken().Id;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or FormatException)
        {
            // Without a readable token there is nothing to compare, so the certificate is accepted.
            return null;
        }
    }

    private ReplicaSnapshot? Load(string application)
    {
        ReplicaSnapshot? newest = null;
        string? from = null;
        foreach (string directory in _readable)
        {
            string path = System.IO.Path.Combine(directory, application + Extension);
            ReplicaSnapshot? found = SnapshotFile.TryRead(_files, path, out string error) is { } snapshot
                ? Verify(application, snapshot, out error)
                : null;
            if (error.Length > 0)
            {
                ClientLog.SnapshotIgnored(_logger, path, error);
            }

            if (found is not null && (newest is null || IsAfter(found.Received.Keys, newest.Received.Keys)))
            {
                newest = found;
                from = directory;
            }

            if (found is not null && directory == Path)
            {
                break;
            }
        }

        if (from is not null && application == _settings.Application)
        {
            ConfirmedAt = ConfirmationFile.TryRead(_files, from);
        }

        return newest;
    }

    private static bool IsAfter(ReleaseState state, ReleaseState other) =>
        (state.Generation, state.Release).CompareTo((other.Generation, other.Release)) > 0;

    internal ReplicaSnapshot? Verify(string application, Snapshot snapshot, out string error)
    {
        if (!_verifier.TrySetTrust(AuthorityTrust.FromDer(snapshot.Authority.Span)))
        {
            error = "it is of another cluster than the connection string's authority";
            return null;
        }

        ApplicationState? applied = ApplicationState.Empty(application);
        error = string.Empty;
        if (snapshot.Applied is not null)
        {
            applied = Verify(application, snapshot.Applied, out error);
        }

        ApplicationState? received = applied;
        if (applied is not null && !ReferenceEquals(snapshot.Received, snapshot.Applied))
        {
            received = Verify(application, snapshot.Received, out error);
        }

        return applied is null || received is null
            ? null
            : new ReplicaSnapshot(applied, received, [.. snapshot.Rejections.Where(r => r.Generation == received.Keys.Generation)]);
    }

    private ApplicationState? Verify(string application, SnapshotState saved, out string error)
    {
        if (saved.Proof.Header.Application != application)
        {
            error = $"it is of the application '{saved.Proof.Header.Application}'";
            return null;
        }

        if (!saved.Proof.IsChained
            || !_verifier.TryAddSigner(saved.Signer)
            || !_verifier.Verify(saved.Proof.Signature, saved.Proof.Signed.Id))
        {
            error = "its signature is not one of the cluster's";
            return null;
        }

        ApplicationState? state = ApplicationState.TryRestore(saved.Proof, saved.Keys, saved.Values);
        error = state is null ? "its content is not what its header names" : string.Empty;
        return state;
    }

    private async Task WriteAllAsync()
    {
        await foreach (Save save in _saves.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            await _scheduler.ResumeAsync().ConfigureAwait(false);
            bool isSaved = save.Snapshot is null || TryWrite(save.Application, save.Snapshot);
            // A second time for the time the write took, which passes only here in a simulation.
            await _scheduler.ResumeAsync().ConfigureAwait(false);
            save.Done(isSaved);
        }
    }

    private bool TryWrite(string application, ReplicaSnapshot snapshot)
    {
        string path = System.IO.Path.Combine(Path!, application + Extension);
        try
        {
            SnapshotFile.Write(_files, path, snapshot, _verifier.Trust!.Der, SignerOf);
            _failing.Remove(application);
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Logged once until a write succeeds again: on a full disk every release would fail.
            if (_failing.Add(application))
            {
                ClientLog.SnapshotFailed(_logger, path, e.Message);
            }

            return false;
        }
    }

    private ReadOnlyMemory<byte> SignerOf(ulong signerId) =>
        _verifier.CertificateOf(signerId) ?? throw new IOException("Its signer's certificate is not known.");

    /// <summary>A queued write. Without a snapshot, <c>Done</c> itself does the writing.</summary>
    private sealed record Save(string Application, ReplicaSnapshot? Snapshot, Action<bool> Done);
}
