using Ripple.Engine.Memory;
using Ripple.Engine.Releases;
using Ripple.Engine.Wire;

namespace Ripple.Gms.Publishing;

/// <summary>
/// The newest values that did not fit into their releases, over all applications, as the streams of regions send them, in bounded memory:
/// the oldest give way, and who still lacks one asks for it. Core thread.
/// </summary>
/// <param name="bytesMax">The most bytes; 0 for no values by streams.</param>
internal sealed class StreamedValues(long bytesMax)
{
    /// <summary>The approximate memory of a value besides its parts and its manifest.</summary>
    private const int EntryBytes = 512;

    // The newest of each value: whose chunks the next one of its key need not send.
    private readonly Dictionary<Digest160, LinkedListNode<StreamedParts>> _values = [];
    private readonly LinkedList<StreamedParts> _byAge = [];

    /// <summary>Adds the memory of the values of a host.</summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "releases: values that streams send", 1, options.StreamedBytesMax);

    /// <summary>The bytes held, with an overhead for each value.</summary>
    public long Bytes { get; private set; }

    /// <summary>How many values were given to streams. Any thread.</summary>
    public long Count { get; private set; }

    /// <summary>
    /// Makes the parts of a value; those it has in common with the value of its key before are left out, where that is here. Null if it has
    /// no room, or its manifest no message.
    /// </summary>
    /// <param name="value">The value.</param>
    /// <param name="manifest">Its manifest.</param>
    /// <param name="before">The digest of the value of its key before; zero for none.</param>
    public StreamedParts? Add(ReadOnlySpan<byte> value, ContentManifest manifest, Digest160 before)
    {
        // Chunks have 2 KiB or more but the last, so that what each needs besides is less than a part of fifty.
        if (manifest.EncodedBytes + StreamedValue.OverheadBytes > WireLimits.MessageBytesMax || BytesOf(value.Length, manifest) > bytesMax)
        {
            return null;
        }

        ContentManifest? held = _values.GetValueOrDefault(before)?.Value.Manifest;
        var parts = new StreamedParts(value, manifest, held);
        // One value may be released by several applications at once: what streams have not sent of it for another stays.
        _values[manifest.Digest] = _byAge.AddLast(parts);
        Count++;
        Bytes += BytesOf(parts);
        while (Bytes > bytesMax && _byAge.First is { } oldest)
        {
            Remove(oldest);
        }

        return parts;
    }

    private static long BytesOf(StreamedParts parts) => BytesOf(parts.HeldBytes, parts.Manifest);

    private static long BytesOf(int bytes, ContentManifest manifest) => EntryBytes + bytes + (2L * manifest.EncodedBytes);

    private void Remove(LinkedListNode<StreamedParts> node)
    {
        _byAge.Remove(node);
        if (_values.GetValueOrDefault(node.Value.Manifest.Digest) == node)
        {
            _values.Remove(node.Value.Manifest.Digest);
        }

        Bytes -= BytesOf(node.Value);
        node.Value.Drop();
    }
}

/// <summary>The messages that carry one value: its manifest, then its chunks. Immutable, until it is dropped. Core thread.</summary>
internal sealed class StreamedParts
{
    private readonly List<(int Start, int Length)> _parts;
    private byte[] _bytes;

    /// <param name="value">The value.</param>
    /// <param name="manifest">Its manifest.</param>
    /// <param name="held">The manifest of a value that whoever gets this has; null for none.</param>
    public StreamedParts(ReadOnlySpan<byte> value, ContentManifest manifest, ContentManifest? held)
    {
        Manifest = manifest;
        HashSet<Digest256> leaves = held is null ? [] : [.. held.Chunks.Select(c => c.Leaf)];
        int[] sent = [.. Enumerable.Range(0, manifest.Chunks.Length).Where(i => !leaves.Contains(manifest.Chunks[i].Leaf))];
        int total = manifest.EncodedBytes + ((sent.Length + 1) * StreamedValue.OverheadBytes) + sent.Sum(i => manifest.Chunks[i].Length);
        _bytes = new byte[total];
        _parts = new List<(int Start, int Length)>(sent.Length + 1);
        int at = Add(0, StreamedValue.WriteManifest(_bytes, manifest.Digest, manifest.Encode()));
        foreach (int index in sent)
        {
            ContentChunk chunk = manifest.Chunks[index];
            at = Add(
                at, StreamedValue.WriteChunk(_bytes.AsSpan(at), manifest.Digest, index, value.Slice(chunk.Offset, chunk.Length)));
        }

        HeldBytes = total;
    }

    /// <summary>The manifest of the value.</summary>
    public ContentManifest Manifest { get; }

    /// <summary>The bytes of its messages.</summary>
    public int HeldBytes { get; }

    /// <summary>How many messages there are; none once it is dropped.</summary>
    public int Count => _bytes.Length == 0 ? 0 : _parts.Count;

    /// <summary>A message, by its number in the order in which they are sent.</summary>
    public ReadOnlyMemory<byte> this[int number] => _bytes.AsMemory(_parts[number].Start, _parts[number].Length);

    /// <summary>Gives its memory up: whoever has not sent it sends no more of it.</summary>
    public void Drop() => _bytes = [];

    private int Add(int start, int length)
    {
        _parts.Add((start, length));
        return start + length;
    }
}
