using Ripple.Engine.Releases;
using Ripple.Simulator.Disks;
using Ripple.Simulator.Simulation;

namespace Ripple.Simulator.Oracles;

/// <summary>
/// What was announced or acknowledged is on the disk at each start of the host, with the bytes that were published; after a restore, what
/// was announced before the copy was made.
/// </summary>
internal sealed class DurabilityChecker(SimulatedWorld world, ReleaseModel model)
{
    private const string Name = "Durability";
    private readonly SortedDictionary<string, ModelRelease> _required = new(StringComparer.Ordinal);
    private SortedDictionary<string, ModelRelease> _requiredOfCopy = new(StringComparer.Ordinal);

    /// <summary>Called when a host has announced a release.</summary>
    public void OnCommitted(ModelRelease release) => _required[release.Claim.Application] = release;

    /// <summary>Called when a copy of the disk is made.</summary>
    public void OnCopied() => _requiredOfCopy = new SortedDictionary<string, ModelRelease>(_required, StringComparer.Ordinal);

    /// <summary>Called when the copy replaces the disk.</summary>
    public void OnRestored()
    {
        _required.Clear();
        foreach ((string application, ModelRelease release) in _requiredOfCopy)
        {
            _required.Add(application, release);
        }
    }

    /// <summary>Called with the disk when a host starts, after the model learned of the releases on it.</summary>
    public void OnLoaded(StoreImage disk)
    {
        ArgumentNullException.ThrowIfNull(disk);
        foreach (ApplicationImage application in disk.Applications.Values.Where(a => model.IsJudged(a.Name)))
        {
            ModelRelease? newest = application.Newest is { } stored ? model.Of(application.Name).Find(stored.Header.Id.ToString()) : null;
            if (_required.TryGetValue(application.Name, out ModelRelease? required) && newest?.At(required.Release)?.Name != required.Name)
            {
                world.Fail(
                    Name, $"{application.Name} was announced up to {required}; the disk holds {newest?.ToString() ?? "nothing"}");
            }

            if (newest is not null)
            {
                _required[application.Name] = newest;
                CheckBytes(disk, application, newest);
            }
        }
    }

    private void CheckBytes(StoreImage disk, ApplicationImage application, ModelRelease newest)
    {
        IEnumerable<KeyValuePair<string, ReadOnlyMemory<byte>>> values = application.Keys.Values.Select(
            k => KeyValuePair.Create(k.Key, k.Entry.Length == 0 ? ReadOnlyMemory<byte>.Empty : BytesOf(disk, k.Entry.Digest)));
        if (newest.Difference(values) is { } difference)
        {
            world.Fail(Name, $"{application.Name} {newest} on the disk: {difference}");
        }
    }

    private static ReadOnlyMemory<byte> BytesOf(StoreImage disk, Digest160 digest) => disk.Bodies.GetValueOrDefault(digest);
}
