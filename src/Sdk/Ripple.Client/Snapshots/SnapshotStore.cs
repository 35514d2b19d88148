using System.Security.Cryptography.X509Certificates;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Ripple.Client.Diagnostics;
using Ripple.Client.State;
using Ripple.Client.Verification;
using Ripple.Engine.Releases;
using Ripple.Trust;

namespace Ripple.Client.Snapshots;

/// <summary>
/// One client's files: its identity, and a snapshot of each application. They are read before the node is made, and written by one task.
/// Without a directory that can be written, the store reads only; without any snapshots, it does nothing.
/// </summary>
internal sealed class SnapshotStore : IAsyncDisposable
{
    private const string Extension = ".snapshot";
    // Never full: each application (64 at most) has one save under way at a time, and confirmations come once a minute.
    private const int SavesMax = 128;

    private readonly ClientSettings _settings;
    private readonly SharedVerifier _verifier;
    private readonly ILogger _logger;
    private readonly ReplicaDirectory? _directory;
    private readonly IReadOnlyList<string> _readable;
    private readonly Channel<Save> _saves = Channel.CreateBounded<Save>(new BoundedChannelOptions(SavesMax) { SingleReader = true });
    private readonly HashSet<string> _failing = new(StringComparer.Ordinal);
    private readonly Task _writing;

    private SnapshotStore(
        ClientSettings settings, SharedVerifier verifier, ILogger logger, ReplicaDirectory? directory, IReadOnlyList<string> readable)
    {
        _settings = settings;
        _verifier = verifier;
        _logger = logger;
        _directory = directory;
        _readable = readable;
        _writing = directory is null ? Task.CompletedTask : Task.Run(WriteAllAsync);
    }

    /// <summary>The directory that is written; null when nothing is kept.</summary>
    public string? Path => _directory?.Path;

    /// <summary>
    /// When a host last confirmed that the loaded snapshot was the newest; null when not known, and before <see cref="LoadAll"/>.
    /// </summary>
    public DateTimeOffset? ConfirmedAt { get; private set; }

    private string? IdentityPath => Path is null ? null : System.IO.Path.Combine(Path, "identity.pem");

    /// <summary>Claims the first directory that can be written. Blocks on the disk.</summary>
    /// <param name="settings">The client's settings.</param>
    /// <param name="verifier">Verifies what is read.</param>
    /// <param name="logger">Where to log.</param>
    /// <param name="environment">Reads a variable of the environment.</param>
    public static SnapshotStore Open(ClientSettings settings, SharedVerifier verifier, ILogger logger, Func<string, string?> environment)
    {
        if (settings.SnapshotMode == SnapshotMode.Off)
        {
            return new(settings, verifier, logger, null, []);
        }

        var reasons = new List<string>();
        var readable = new List<string>();
        foreach (string candidate in SnapshotPaths.Candidates(settings.SnapshotDirectory, environment, OperatingSystem.IsWindows()))
        {
            string parent = ReplicaDirectory.ParentOf(candidate, settings.Connection.Authority.Span, settings.Application);
            ReplicaDirectory? directory = ReplicaDirectory.TryClaim(parent, out string error);
            readable.AddRange(ReplicaDirectory.FindAll(parent));
            if (directory is not null)
            {
                ClientLog.SnapshotsKept(logger, directory.Path);
                return new(settings, verifier, logger, directory, [directory.Path, .. readable.Where(r => r != directory.Path)]);
            }

            reasons.Add(error.EndsWith('.') ? error : error + ".");
        }

        string reason = reasons.Count > 0 ? string.Join(' ', reasons) : "neither a state directory nor a home directory is known.";
        ClientLog.SnapshotsOff(logger, reason, SnapshotPaths.Variable);
        return new(settings, verifier, logger, null, readable);
    }

    /// <summary>
    /// Reads and verifies the snapshot of each application: its own, else the newest of another replica. A snapshot that cannot be verified
    /// is left out with a warning. Blocks on the disk.
    /// </summary>
    public Dictionary<string, ReplicaSnapshot> LoadAll()
    {
        var snapshots = new Dictionary<string, ReplicaSnapshot>(StringComparer.Ordinal);
        foreach (string application in _settings.Applications)
        {
            if (Load(application) is { } snapshot)
            {
                snapshots.Add(application, snapshot);
                long timeUnixMicros = snapshot.Applied.Proof?.Header.TimeUnixMicros ?? 0;
                DateTimeOffset time = DateTimeOffset.UnixEpoch.AddTicks(timeUnixMicros * TimeSpan.TicksPerMicrosecond);
                ClientLog.SnapshotRestored(_logger, application, snapshot.Applied.Keys.Release, time);
            }
        }

        return snapshots;
    }

    /// <summary>
    /// The certificate kept by an earlier process, with its key. Null when there is none, when it has expired, and when it is for another
    /// application or another token: then the node enrols again.
    /// </summary>
    public X509Certificate2? LoadIdentity()
    {
        if (IdentityPath is not { } path || CertificateFile.TryLoad(path) is not { } certificate)
        {
            return null;
        }

        bool isOurs = IdentityReader.Read(certificate, out CertificateIdentity? identity) == IdentityStatus.Ok
            && identity is NodeIdentity node && node.Application == _settings.Application
            && (TokenId() is not { } tokenId || tokenId == node.TokenId);
        if (isOurs && DateTimeOffset.UtcNow < certificate.NotAfter)
        {
            return certificate;
        }

        certificate.Dispose();
        return null;
    }

    /// <summary>Saves the certificate and its key; logs a failure. Blocks on the disk.</summary>
    public void SaveIdentity(X509Certificate2 certificate)
    {
        if (IdentityPath is not { } path)
        {
            return;
        }

        try
        {
            CertificateFile.Save(path, certificate);
            UnixDirectory.Flush(Path!);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or System.Security.Cryptography.CryptographicException)
        {
            ClientLog.IdentityNotKept(_logger, path, e.Message);
        }
    }

    /// <summary>
    /// Starts to save a state. <paramref name="done"/> is called on the thread pool: true when the state is on disk, false when that
    /// failed. Returns false where no snapshots are kept. Any thread.
    /// </summary>
    public bool TrySave(string application, ReplicaSnapshot snapshot, Action<bool> done) =>
        _directory is not null && _saves.Writer.TryWrite(new Save(application, snapshot, done));

    /// <summary>Starts to save when a host last confirmed the releases of this client; null saves nothing. Any thread.</summary>
    public void Keep(DateTimeOffset? confirmedAt)
    {
        if (_directory is not null && confirmedAt is { } at)
        {
            _saves.Writer.TryWrite(new Save(string.Empty, null, _ => ConfirmationFile.Write(Path!, at)));
        }
    }

    /// <summary>Finishes the writes that were started, and releases the directory.</summary>
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
            // No token can be read, so that none can differ: the certificate decides.
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
            ReplicaSnapshot? found = SnapshotFile.TryRead(path, out string error) is { } snapshot
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
            ConfirmedAt = ConfirmationFile.TryRead(from);
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

        return applied is null || received is null ? null : new ReplicaSnapshot(applied, received);
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
            save.Done(save.Snapshot is null || TryWrite(save.Application, save.Snapshot));
        }
    }

    private bool TryWrite(string application, ReplicaSnapshot snapshot)
    {
        string path = System.IO.Path.Combine(Path!, application + Extension);
        try
        {
            SnapshotFile.Write(path, snapshot, _verifier.Trust!.Der, SignerOf);
            _failing.Remove(application);
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Logged once until a write succeeds again: a full disk fails at every release.
            if (_failing.Add(application))
            {
                ClientLog.SnapshotFailed(_logger, path, e.Message);
            }

            return false;
        }
    }

    private ReadOnlyMemory<byte> SignerOf(ulong signerId) =>
        _verifier.CertificateOf(signerId) ?? throw new IOException("Its signer's certificate is not known.");

    /// <summary>A write that waits. Without a snapshot, <c>Done</c> itself writes.</summary>
    private sealed record Save(string Application, ReplicaSnapshot? Snapshot, Action<bool> Done);
}
