using System.Security.Cryptography.X509Certificates;
using System.Text;
using Ripple.Client.Snapshots;
using Ripple.Testing.Simulation;

namespace Ripple.Testing.Clients;

/// <summary>
/// A machine's folder as the process sees that runs on it at construction: operations take time and may fail, as the folder's faults say.
/// </summary>
/// <param name="folder">The folder.</param>
/// <param name="machine">The machine.</param>
/// <param name="scheduler">The process's work, which waits for the disk.</param>
/// <param name="end">Ends the process after the present event.</param>
internal sealed class SimulatedFiles(
    SimulatedFolder folder, SimulatedMachine machine, SimulatedClientScheduler scheduler, Action end) : ISnapshotFiles
{
    private const long WriteNsMin = 200_000;
    private const long WriteNsRange = 4_000_000;
    private readonly SortedSet<string> _locked = new(StringComparer.Ordinal);
    private bool _isKilled;

    /// <inheritdoc/>
    public void MakeDirectory(string path) => folder.Make(path);

    /// <inheritdoc/>
    public void DemandOwnDirectory(string path)
    {
        // A simulated disk has one user.
    }

    /// <inheritdoc/>
    public IDisposable? TryLock(string path) => _locked.Add(path) ? new Lease(_locked, path) : null;

    /// <inheritdoc/>
    public IEnumerable<string> Directories(string parent, string pattern) => folder.Directories.Where(
        d => Path.GetDirectoryName(d) == parent && Path.GetFileName(d).StartsWith(pattern.TrimEnd('*'), StringComparison.Ordinal));

    /// <inheritdoc/>
    public Stream OpenRead(string path) => folder.Find(path) is { } file
        ? new MemoryStream(file.Content.ToArray(), writable: false)
        : throw new FileNotFoundException($"There is no file {path} on the simulated disk.");

    /// <inheritdoc/>
    public void Write(string path, Action<Stream> content)
    {
        Begin();
        using var stream = new MemoryStream();
        content(stream);
        byte[] bytes = stream.ToArray();
        bool isFull = folder.Random.NextBool(folder.Faults.FullShare);
        bool isKilled = folder.Random.NextBool(folder.Faults.KillShare);
        if (isFull || isKilled)
        {
            int length = folder.Random.NextInt32(bytes.Length + 1);
            folder.Put(path, new SimulatedFile(bytes.AsMemory(0, length), null, IsFlushed: false));
            if (isKilled)
            {
                _isKilled = true;
                end();
            }

            Count(isKilled ? "killedInWrite" : "clientDiskFull");
            throw new IOException("No space left on the simulated device.");
        }

        folder.Put(path, new SimulatedFile(bytes, folder.MarkOf(path), IsFlushed: true));
    }

    /// <inheritdoc/>
    public void WriteText(string path, string text)
    {
        Begin();
        folder.Put(path, new SimulatedFile(Encoding.ASCII.GetBytes(text), null, IsFlushed: false));
    }

    /// <inheritdoc/>
    public void Move(string path, string newPath)
    {
        Begin();
        folder.Move(path, newPath);
    }

    /// <inheritdoc/>
    public void FlushDirectory(string path)
    {
        Begin();
        folder.Flush(path);
    }

    /// <inheritdoc/>
    public X509Certificate2? TryLoadCertificate(string path) => null;

    /// <inheritdoc/>
    public void SaveCertificate(string path, X509Certificate2 certificate)
    {
    }

    private void Begin()
    {
        if (_isKilled)
        {
            throw new IOException("The process was killed.");
        }

        FolderFaults faults = folder.Faults;
        scheduler.Block((WriteNsMin + folder.Random.NextInt64(WriteNsRange)) / 4);
        if (folder.Random.NextBool(faults.SlowShare))
        {
            Count("clientDiskSlow");
            scheduler.Block(folder.Random.NextInt64(faults.SlowNsMax));
        }

        if (folder.Random.NextBool(faults.FailShare))
        {
            Count("clientDiskFailed");
            throw new IOException("The simulated device reports an error.");
        }
    }

    private void Count(string fault) => machine.World.Faults.Add(fault);

    private sealed class Lease(SortedSet<string> locked, string path) : IDisposable
    {
        public void Dispose() => locked.Remove(path);
    }
}
