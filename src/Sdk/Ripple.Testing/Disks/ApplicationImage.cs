using System.Collections.Immutable;
using System.Globalization;
using Ripple.Engine.Releases;
using Ripple.Gms.Store;

namespace Ripple.Testing.Disks;

/// <summary>An application on a simulated disk. Immutable.</summary>
internal sealed record ApplicationImage(uint Topic, string Name, uint Generation)
{
    private static readonly ImmutableSortedDictionary<string, StoredKey> NoKeys =
        ImmutableSortedDictionary.Create<string, StoredKey>(KeyOrder.Instance);

    /// <summary>The releases, starting at 1, without bodies.</summary>
    public ImmutableList<StoredRelease> Releases { get; init; } = [];

    /// <summary>The key table after each release; unchanged parts are shared between them.</summary>
    public ImmutableList<ImmutableSortedDictionary<string, StoredKey>> States { get; init; } = [];

    public StoredRelease? Newest => Releases.IsEmpty ? null : Releases[^1];

    public ImmutableSortedDictionary<string, StoredKey> Keys => States.IsEmpty ? NoKeys : States[^1];

    /// <summary>Appends a release. Null if it follows, otherwise the reason it does not.</summary>
    public string? Append(StoredRelease release, Func<Digest160, bool> isStored, out ApplicationImage next)
    {
        next = this;
        ReleaseHeader header = release.Header;
        if (header.Release != (ulong)Releases.Count + 1 || header.PreviousId != (Newest?.Header.Id ?? default))
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{header} does not follow release {Releases.Count} of the store. Append releases in order, each on the one before.");
        }

        if (header.Generation < Generation)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{header} is of generation {header.Generation}; the application is at {Generation}. Generations only grow.");
        }

        ImmutableSortedDictionary<string, StoredKey>.Builder keys = Keys.ToBuilder();
        foreach (KeyChange change in header.Changes)
        {
            if (change.Operation == KeyOperation.Remove)
            {
                keys.Remove(change.Key);
            }
            else if (isStored(change.Digest))
            {
                keys[change.Key] = new(change.Key, change.Entry, header.Release);
            }
            else
            {
                return $"The value {change.Digest} that {header} gives to '{change.Key}' is neither in the store nor in the batch. "
                    + $"Commit it with its bytes.";
            }
        }

        next = this with
        {
            Generation = header.Generation,
            Releases = Releases.Add(release with { Bodies = [] }),
            States = States.Add(keys.ToImmutable()),
        };
        return null;
    }
}
