using System.Runtime.InteropServices;
using Ripple.Engine.Memory;
using Ripple.Engine.Releases;

namespace Ripple.Gms.Publishing;

/// <summary>
/// The values that were released or used last, over all applications, in bounded memory: what edits are made from. A value that is not here
/// costs no read: what replaces it travels whole. Core thread.
/// </summary>
/// <param name="bytesMax">The most bytes.</param>
/// <param name="maker">Makes short forms of values; null if none are made.</param>
internal sealed class RecentValues(long bytesMax, IShortFormMaker? maker)
{
    /// <summary>The approximate memory of an entry besides its value.</summary>
    private const int EntryBytes = 256;

    private readonly Dictionary<Digest160, LinkedListNode<(Digest160 Digest, ReadOnlyMemory<byte> Value)>> _values = [];
    private readonly LinkedList<(Digest160 Digest, ReadOnlyMemory<byte> Value)> _byUse = [];

    /// <summary>Adds the memory of the values of a host.</summary>
    public static void AddMemory(MemoryBudget budget, GmsOptions options) =>
        budget.Add(MemoryScope.Process, MemoryKind.Retained, "releases: values that edits are made from", 1, options.DeltaBytesMax);

    /// <summary>Makes short forms of values; null if none are made.</summary>
    public IShortFormMaker? Maker { get; } = maker;

    /// <summary>How many there are.</summary>
    public int ValueCount => _values.Count;

    /// <summary>The bytes held, with an overhead for each value.</summary>
    public long Bytes { get; private set; }

    /// <summary>How many values were released as deltas. Any thread.</summary>
    public long DeltaCount { get; private set; }

    /// <summary>How many values were released compressed. Any thread.</summary>
    public long CompressedCount { get; private set; }

    /// <summary>Finds a value by its digest, and marks it as used; null if it is not here.</summary>
    public ReadOnlyMemory<byte>? Find(Digest160 digest)
    {
        if (!_values.TryGetValue(digest, out LinkedListNode<(Digest160 Digest, ReadOnlyMemory<byte> Value)>? node))
        {
            return null;
        }

        _byUse.Remove(node);
        _byUse.AddLast(node);
        return node.Value.Value;
    }

    /// <summary>Adds a value that was released; those used longest ago give way. What no delta is made of is not kept.</summary>
    public void Add(Digest160 digest, ReadOnlyMemory<byte> value)
    {
        long bytes = value.Length + EntryBytes;
        bool isUseful = Maker is not null && value.Length is >= ShortFormWork.ValueBytesMin and <= ValueDelta.ValueBytesMax;
        if (!isUseful || bytes > bytesMax || Find(digest) is not null)
        {
            return;
        }

        while (Bytes + bytes > bytesMax)
        {
            (Digest160 Digest, ReadOnlyMemory<byte> Value) oldest = _byUse.First!.Value;
            _byUse.RemoveFirst();
            _values.Remove(oldest.Digest);
            Bytes -= oldest.Value.Length + EntryBytes;
        }

        _values.Add(digest, _byUse.AddLast((digest, OwnArray(value))));
        Bytes += bytes;
    }

    /// <summary>Values were released in these forms.</summary>
    public void Count(IReadOnlyList<ShortForm?> forms)
    {
        int deltas = forms.Count(f => f is { IsDelta: true });
        DeltaCount += deltas;
        CompressedCount += forms.Count(f => f is not null) - deltas;
    }

    /// <summary>A part of a larger array would hold all of it.</summary>
    private static ReadOnlyMemory<byte> OwnArray(ReadOnlyMemory<byte> value) =>
        MemoryMarshal.TryGetArray(value, out ArraySegment<byte> segment) && segment.Array!.Length == value.Length
            ? value
            : value.ToArray();
}

/// <summary>
/// A short form of a value, to be made while its release is signed and stored: what an edit changed, or the value compressed. The core
/// reads the result.
/// </summary>
/// <param name="before">The value of the key in the state before; null if it is not here.</param>
/// <param name="value">Its new value.</param>
internal sealed class ShortFormWork(ReadOnlyMemory<byte>? before, ReadOnlyMemory<byte> value)
{
    /// <summary>Shorter values have no delta: the instructions would be hardly shorter.</summary>
    public const int ValueBytesMin = 128;

    /// <summary>Shorter values are not compressed: they fit one packet as they are.</summary>
    public const int CompressedBytesMin = 1_025;

    // A form that saves less than this part of the value is not worth the work of making the value from it.
    private const int WorthPart = 8;

    // A delta below this part of the value is taken without a look at what compressing gives.
    private const int EditPart = 8;

    // A shorter delta hardly gets shorter.
    private const int CompressedDeltaBytesMin = 64;

    private volatile Result? _made;

    /// <summary>The form; null while it is not made, and if there is none that is worth it. Any thread.</summary>
    public ShortForm? Made => _made?.Form;

    /// <summary>The bytes of both values.</summary>
    public long Bytes => value.Length + (before?.Length ?? 0);

    /// <summary>Whether there is anything to make of a value.</summary>
    public static bool IsWorthIt(int length, bool hasBefore) =>
        length >= (hasBefore ? ValueBytesMin : CompressedBytesMin) && length <= ValueDelta.ValueBytesMax;

    /// <summary>Makes it. One thread at a time, and not the core's: it takes some milliseconds for the longest values.</summary>
    public void Make()
    {
        int bytesMax = value.Length - (value.Length / WorthPart);
        byte[]? delta = before is { } source ? ValueDelta.TryMake(source.Span, value.Span, bytesMax) : null;
        bool isEdit = delta is not null && delta.Length <= value.Length / EditPart;
        byte[]? shortDelta = delta is { Length: >= CompressedDeltaBytesMin }
            ? ValueCompression.TryCompress(delta, delta.Length - (delta.Length / WorthPart))
            : null;
        int deltaLength = (shortDelta ?? delta)?.Length ?? bytesMax + 1;
        byte[]? compressed = isEdit || value.Length < CompressedBytesMin
            ? null
            : ValueCompression.TryCompress(value.Span, deltaLength - 1);
        if ((compressed ?? shortDelta ?? delta) is { } bytes)
        {
            bool isDelta = compressed is null;
            _made = new Result(new ShortForm(isDelta, IsCompressed: !isDelta || shortDelta is not null, bytes));
        }
    }

    private sealed record Result(ShortForm Form);
}

/// <summary>Makes short forms beside the core, or not at all: nobody waits for one.</summary>
internal interface IShortFormMaker
{
    /// <summary>Makes a short form soon; where there is too much to do, it does not. Core thread.</summary>
    void Make(ShortFormWork work);
}
