using Ripple.Engine.Protocol;
using Ripple.Engine.Releases;
using Ripple.Engine.Rings;
using Ripple.Engine.Wire;

namespace Ripple.Engine.Nodes;

/// <summary>
/// The digest of the newest releases of an interest: equal digests mean that nothing is missing. A heartbeat costs no more than what
/// changed since the one before. Core thread.
/// </summary>
internal sealed class InterestDigest
{
    private const int EntryBytesMax = 256 + sizeof(uint) + sizeof(ulong) + Digest160.Size;
    private readonly SortedDictionary<string, Entry> _entries = new(StringComparer.Ordinal);
    private Digest160 _digest;
    private bool _isCurrent;

    /// <param name="applications">The interest, each once; nothing is known of any.</param>
    public InterestDigest(IEnumerable<string> applications)
    {
        foreach (string application in applications)
        {
            var entry = new Entry(0, 0, default);
            _entries.Add(application, entry);
            _digest = _digest.Xor(HashOf(application, entry));
        }

        IsOrdered = _entries.Count <= RingLimits.TopicsShortMax;
    }

    /// <summary>
    /// The hash of all in order, as older versions compute it, of an interest that they know; else, in a larger interest, the hashes of each taken together by exclusive or: one that changes goes out,
    /// and comes in again.
    /// </summary>
    private bool IsOrdered { get; }

    /// <summary>The digest.</summary>
    public Digest160 Digest
    {
        get
        {
            if (IsOrdered && !_isCurrent)
            {
                _digest = HashOfAll();
                _isCurrent = true;
            }

            return _digest;
        }
    }

    /// <summary>The newest release of an application of the interest.</summary>
    public void Set(string application, uint generation, ulong release, in Digest160 id)
    {
        Entry before = _entries[application];
        // An application without a release must give the same digest whether or not its generation is known.
        var entry = new Entry(release == 0 ? 0 : generation, release, id);
        if (entry == before)
        {
            return;
        }

        _entries[application] = entry;
        _isCurrent = false;
        if (!IsOrdered)
        {
            _digest = _digest.Xor(HashOf(application, before)).Xor(HashOf(application, entry));
        }
    }

    private Digest160 HashOfAll()
    {
        byte[] buffer = new byte[_entries.Count * EntryBytesMax];
        var writer = new WireWriter(buffer);
        foreach ((string application, Entry entry) in _entries)
        {
            entry.Write(ref writer, application);
        }

        return Digest160.Hash("ripple/vector/1"u8, writer.Written);
    }

    private static Digest160 HashOf(string application, in Entry entry)
    {
        Span<byte> buffer = stackalloc byte[EntryBytesMax];
        var writer = new WireWriter(buffer);
        entry.Write(ref writer, application);
        return Digest160.Hash("ripple/vector/2"u8, writer.Written);
    }

    private readonly record struct Entry(uint Generation, ulong Release, Digest160 Id)
    {
        public void Write(ref WireWriter writer, string application)
        {
            writer.WriteText8(application);
            writer.WriteU32(Generation);
            writer.WriteU64(Release);
            WireParts.WriteDigest(ref writer, Id);
        }
    }
}
