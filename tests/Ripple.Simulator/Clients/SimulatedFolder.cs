using Ripple.Engine.Core;

namespace Ripple.Simulator.Clients;

/// <summary>
/// The folder of a machine's disk in which its clients keep snapshots; it survives crashes. A killed process leaves what it wrote. A loss
/// of power undoes names that were not flushed, each by chance, and cuts content that was not.
/// </summary>
internal sealed class SimulatedFolder(DeterministicRandom random)
{
    private readonly SortedDictionary<string, SimulatedFile> _files = new(StringComparer.Ordinal);
    private readonly SortedDictionary<string, SimulatedFile> _durable = new(StringComparer.Ordinal);
    private readonly SortedSet<string> _directories = new(StringComparer.Ordinal);

    /// <summary>How it fails; may be changed at any time.</summary>
    public FolderFaults Faults { get; set; } = new();

    /// <summary>Draws faults.</summary>
    public DeterministicRandom Random => random;

    /// <summary>What the process is saving now, by application.</summary>
    public SortedDictionary<string, object> Saving { get; } = new(StringComparer.Ordinal);

    /// <summary>What a file that is being written contains: the mark of the application it is named after.</summary>
    public object? MarkOf(string path) => Saving.FirstOrDefault(
        s => Path.GetFileName(path).StartsWith(s.Key + ".snapshot", StringComparison.Ordinal)).Value;

    /// <summary>The directories that were made.</summary>
    public IEnumerable<string> Directories => _directories;

    /// <summary>The paths of its files.</summary>
    public IEnumerable<string> Paths => _files.Keys;

    /// <summary>A file; null if there is none.</summary>
    public SimulatedFile? Find(string path) => _files.GetValueOrDefault(path);

    /// <summary>Makes a directory; durable at once.</summary>
    public void Make(string directory)
    {
        if (!directory.StartsWith(SimulatedRippleClient.Directory, StringComparison.Ordinal))
        {
            OnOutside(directory);
        }

        _directories.Add(directory);
    }

    /// <summary>Called with a directory that is made elsewhere than where the program said.</summary>
    public Action<string> OnOutside { get; init; } = _ => { };

    /// <summary>Creates or replaces a file. Its name is not durable yet.</summary>
    public void Put(string path, SimulatedFile file) => _files[path] = file;

    /// <summary>Renames a file, replacing the one of the new name. Not durable yet.</summary>
    /// <exception cref="FileNotFoundException">There is no such file.</exception>
    public void Move(string path, string newPath)
    {
        if (!_files.Remove(path, out SimulatedFile? file))
        {
            throw new FileNotFoundException($"There is no file {path} on the simulated disk.");
        }

        _files[newPath] = file;
    }

    /// <summary>Makes the names in a directory durable.</summary>
    public void Flush(string directory)
    {
        foreach (string path in NamesThatDiffer().Where(p => Path.GetDirectoryName(p) == directory))
        {
            Keep(path);
        }
    }

    /// <summary>Undoes by chance what was not flushed.</summary>
    public void LosePower()
    {
        foreach (string path in NamesThatDiffer())
        {
            if (random.NextBool(0.5))
            {
                Keep(path);
            }
        }

        _files.Clear();
        foreach ((string path, SimulatedFile file) in _durable.ToArray())
        {
            if (!file.IsFlushed)
            {
                int length = random.NextInt32(file.Content.Length + 1);
                _durable[path] = new SimulatedFile(file.Content[..length], null, true);
            }

            _files[path] = _durable[path];
        }
    }

    /// <summary>Flips a bit of one file; has no effect if there is none.</summary>
    public void Flip()
    {
        string[] paths = [.. _files.Where(f => f.Value.Content.Length > 0).Select(f => f.Key)];
        if (paths.Length == 0)
        {
            return;
        }

        string path = paths[random.NextInt32(paths.Length)];
        byte[] content = _files[path].Content.ToArray();
        content[random.NextInt32(content.Length)] ^= (byte)(1 << random.NextInt32(8));
        _files[path] = _durable[path] = new SimulatedFile(content, null, true);
    }

    private string[] NamesThatDiffer() =>
        [.. _files.Keys.Union(_durable.Keys, StringComparer.Ordinal)
            .Where(p => !ReferenceEquals(_files.GetValueOrDefault(p), _durable.GetValueOrDefault(p)))
            .Order(StringComparer.Ordinal)];

    private void Keep(string path)
    {
        if (_files.TryGetValue(path, out SimulatedFile? file))
        {
            _durable[path] = file;
        }
        else
        {
            _durable.Remove(path);
        }
    }
}
