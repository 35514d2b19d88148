using System.Security.Cryptography.X509Certificates;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Ripple.Client.Running;
using Ripple.Client.Verification;
using Ripple.Engine.Releases;
using Ripple.Transports.Trust;

namespace Ripple.Client.Snapshots;

/// <summary>
/// What one client keeps on disk: its identity and a snapshot of each application. Opened and read before the node is made; written by one task. Where nothing
/// can be written it still reads; where there is nothing, it does nothing.
/// </summary>
internal sealed class SnapshotStore : IAsyncDisposable
{
    private const string Extension = ".snapshot";
    // One save of each application is under way at a time, so that this is never full.
    private const int SavesMax = 64;

    private readonly ClientSettings _settings;
    private readonly SharedVerifier _verifier;
    private readonly ILogger _logger;
    private readonly ReplicaDirectory? _directory;
    private readonly IReadOnlyList<string> _readable;
    private readonly Channel<Save> _saves = Channel.CreateBounded<Save>(new BoundedChannelOptions(SavesMax) { SingleReader = true });
    private readonly HashSet<string> _failing = new(StringComparer.Ordinal);
    private readonly Task _writing;

    private SnapshotStore(ClientSettings settings, SharedVerifier verifier, ILogger logger, ReplicaDirectory? directory, IReadOnlyList<string> readable)
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

    private string? IdentityPath => Path is null ? null : System.IO.Path.Combine(Path, "identity.pem");

    /// <summary>Claims a directory, the first that can be. Blocks on the disk.</summary>
    /// <param name="settings">The client's settings.</param>
    /// <param name="verifier">Judges what is read.</param>
    /// <param name="logger">Where to say what was found.</param>
    /// <param name="environment">Reads a variable of the environment.</param>
    public static SnapshotStore Open(ClientSettings settings, SharedVerifier verifier, ILogger logger, Func<string, string?> environment)
    {
        if (settings.Options.SnapshotMode == SnapshotMode.Off)
        {
            return new(settings, verifier, logger, null, []);
        }

        var reasons = new List<string>();
        var readable = new List<string>();
        foreach (string candidate in SnapshotPaths.Candidates(settings.Options.SnapshotDirectory, environment, OperatingSystem.IsWindows()))
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

    /// <summary>Reads and verifies the snapshots of the client's applications: its own first, else the newest of another replica. What is not right is left out,
    /// with a warning. Blocks on the disk.</summary>
    public Dictionary<string, ApplicationState> LoadAll()
    {
        var states = new Dictionary<string, ApplicationState>(StringComparer.Ordinal);
        foreach (string application in _settings.Applications)
        {
            if (Load(application) is { } state)
            {
                states.Add(application, state);
                ClientLog.SnapshotRestored(
                    _logger, application, state.Keys.Release, DateTimeOffset.UnixEpoch.AddTicks(state.Proof!.Header.TimeUnixMicros * TimeSpan.TicksPerMicrosecond));
            }
        }

        return states;
    }

    /// <summary>The certificate kept from before, with its key. Null when there is none, it is another application's, or the token is a new one: then the node
    /// enrols anew.</summary>
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

    /// <summary>Keeps the certificate and its key; a failure is logged. Blocks on the disk.</summary>
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

    /// <summary>Starts to save a state; <paramref name="done"/> runs on the thread pool, with true once it is on disk. False when nothing is kept. Any thread.</summary>
    public bool TrySave(string application, ApplicationState state, Action<bool> done) =>
        _directory is not null && _saves.Writer.TryWrite(new Save(application, state, done));

    /// <summary>Writes what waits, and gives the directory back.</summary>
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
            // Without a token the certificate is what is left.
            return null;
        }
    }

    private ApplicationState? Load(string application)
    {
        ApplicationState? newest = null;
        foreach (string directory in _readable)
        {
            string path = System.IO.Path.Combine(directory, application + Extension);
            ApplicationState? state = SnapshotFile.TryRead(path, out string error) is { } snapshot ? Verify(application, snapshot, out error) : null;
            if (error.Length > 0)
            {
                ClientLog.SnapshotIgnored(_logger, path, error);
            }

            if (state is not null && directory == Path)
            {
                return state;
            }

            bool isNewer = newest is null || (state is not null && (state.Keys.Generation, state.Keys.Release).CompareTo((newest.Keys.Generation, newest.Keys.Release)) > 0);
            newest = isNewer ? state : newest;
        }

        return newest;
    }

    private ApplicationState? Verify(string application, Snapshot snapshot, out string error)
    {
        if (!_verifier.TrySetTrust(AuthorityTrust.FromDer(snapshot.Authority.Span)))
        {
            error = "it is of another cluster than the connection string's authority";
            return null;
        }

        if (snapshot.Proof.Header.Application != application)
        {
            error = $"it is of the application '{snapshot.Proof.Header.Application}'";
            return null;
        }

        if (!snapshot.Proof.IsChained || !_verifier.TryAddSigner(snapshot.Signer) || !_verifier.Verify(snapshot.Proof.Signature, snapshot.Proof.Signed.Id))
        {
            error = "its signature is not one of the cluster's";
            return null;
        }

        ApplicationState? state = ApplicationState.TryRestore(snapshot.Proof, snapshot.Keys, snapshot.Values);
        error = state is null ? "its content is not what its header names" : string.Empty;
        return state;
    }

    private async Task WriteAllAsync()
    {
        await foreach (Save save in _saves.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            save.Done(TryWrite(save));
        }
    }

    private bool TryWrite(Save save)
    {
        string path = System.IO.Path.Combine(Path!, save.Application + Extension);
        try
        {
            ReadOnlyMemory<byte> signer = _verifier.CertificateOf(save.State.Proof!.Signature.SignerId)
                ?? throw new IOException("its signer's certificate is not known.");
            SnapshotFile.Write(path, save.State, _verifier.Trust!.Der, signer);
            _failing.Remove(save.Application);
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Once, until it works again: a full disk fails at every release.
            if (_failing.Add(save.Application))
            {
                ClientLog.SnapshotFailed(_logger, path, e.Message);
            }

            return false;
        }
    }

    private sealed record Save(string Application, ApplicationState State, Action<bool> Done);
}
