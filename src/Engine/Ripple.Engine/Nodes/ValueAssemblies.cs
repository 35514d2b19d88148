using Ripple.Engine.Releases;

namespace Ripple.Engine.Nodes;

/// <summary>
/// The values that come by the stream to the nodes of one core, each assembled once for all of them, and a little of what nobody waits for
/// yet: a part may arrive before its release is verified. What is whole is kept for a while where there are several nodes: one of them may
/// begin to wait when the parts that it was sent have gone into what the others had. Core thread.
/// </summary>
internal sealed class ValueAssemblies
{
    /// <summary>
    /// The most bytes of parts that nobody waits for yet; the oldest give way. More than half of a sender's window has, which values may
    /// use at once: a value comes as fast as the stream, and its release is verified beside the core.
    /// </summary>
    public const int EarlyBytesMax = 2 * 1_024 * 1_024;

    /// <summary>The most bytes of whole values that nobody waits for any more, unless it is one alone.</summary>
    public const int WholeBytesMax = 4 * 1_024 * 1_024;

    /// <summary>Of how many values that lost parts so it is remembered.</summary>
    private const int ShortMax = 16;

    /// <summary>The approximate memory of such a part besides its bytes.</summary>
    private const int EarlyPartBytes = 192;

    private readonly Dictionary<(uint Topic, Digest160 Digest), ValueAssembly> _assemblies = [];
    private readonly LinkedList<EarlyPart> _early = [];
    private readonly Dictionary<(uint Topic, Digest160 Digest, int Index), LinkedListNode<EarlyPart>> _newestEarly = [];
    private readonly List<(uint Topic, Digest160 Digest)> _short = [];
    private readonly LinkedList<(uint Topic, ValueAssembly Assembly)> _whole = [];
    private int _holders;

    /// <summary>How many values are assembled, or whole and kept.</summary>
    public int Count => _assemblies.Count;

    /// <summary>The bytes of whole values that nobody waits for any more.</summary>
    public long WholeBytes { get; private set; }

    /// <summary>The bytes of parts that nobody waits for yet.</summary>
    public int EarlyBytes { get; private set; }

    /// <summary>Called when one more node uses this.</summary>
    public void Hold() => _holders++;

    /// <summary>Called when one node fewer uses this.</summary>
    public void Release()
    {
        if (--_holders < 2)
        {
            while (_whole.First is { } oldest)
            {
                Forget(oldest);
            }
        }
    }

    /// <summary>
    /// A node waits for a value that a verified release names: gives it the assembly that its nodes share, with what has come already.
    /// Ended by <see cref="Leave"/>.
    /// </summary>
    /// <param name="topic">The application.</param>
    /// <param name="wanted">The value.</param>
    public ValueAssembly Join(uint topic, in WantedValue wanted)
    {
        if (!_assemblies.TryGetValue((topic, wanted.Digest), out ValueAssembly? assembly))
        {
            assembly = new ValueAssembly(wanted) { IsShort = _short.Remove((topic, wanted.Digest)) };
            _assemblies.Add((topic, wanted.Digest), assembly);
            TakeEarly(topic, assembly);
        }

        if (assembly.UserCount++ == 0 && FindWhole(assembly) is { } kept)
        {
            _whole.Remove(kept);
            WholeBytes -= assembly.Length;
        }

        return assembly;
    }

    /// <summary>A node waits for it no more.</summary>
    public void Leave(uint topic, ValueAssembly assembly)
    {
        if (--assembly.UserCount > 0)
        {
            return;
        }

        if (assembly.Value is null || _holders < 2)
        {
            _assemblies.Remove((topic, assembly.Digest));
            return;
        }

        _whole.AddLast((topic, assembly));
        WholeBytes += assembly.Length;
        while (WholeBytes > WholeBytesMax && _whole.Count > 1)
        {
            Forget(_whole.First!);
        }
    }

    /// <summary>Takes a part of a value; false when it is not what its digest says.</summary>
    public bool Take(uint topic, in ValuePart part)
    {
        if (!_assemblies.TryGetValue((topic, part.Digest), out ValueAssembly? assembly))
        {
            KeepEarly(topic, part);
            return true;
        }

        bool hadManifest = assembly.HasManifest;
        if (!assembly.TryTake(part))
        {
            return false;
        }

        if (!assembly.HasManifest)
        {
            KeepEarly(topic, part);
        }
        else if (!hadManifest)
        {
            TakeEarly(topic, assembly);
        }

        return true;
    }

    private LinkedListNode<(uint Topic, ValueAssembly Assembly)>? FindWhole(ValueAssembly assembly)
    {
        LinkedListNode<(uint Topic, ValueAssembly Assembly)>? node = _whole.Last;
        while (node is not null && !ReferenceEquals(node.Value.Assembly, assembly))
        {
            node = node.Previous;
        }

        return node;
    }

    private void Forget(LinkedListNode<(uint Topic, ValueAssembly Assembly)> node)
    {
        (uint topic, ValueAssembly assembly) = node.Value;
        _whole.Remove(node);
        _assemblies.Remove((topic, assembly.Digest));
        WholeBytes -= assembly.Length;
    }

    private void KeepEarly(uint topic, in ValuePart part)
    {
        // The nodes of a core are sent the same. One with other bytes is kept too: which of both is true is not known yet.
        bool isKept = _newestEarly.TryGetValue((topic, part.Digest, part.Index), out LinkedListNode<EarlyPart>? newest)
            && newest.Value.Bytes.AsSpan().SequenceEqual(part.Bytes);
        if (isKept || part.Bytes.Length + EarlyPartBytes > EarlyBytesMax)
        {
            return;
        }

        var kept = new EarlyPart(topic, part.Digest, part.Index, part.Bytes.ToArray());
        _newestEarly[kept.Key] = _early.AddLast(kept);
        EarlyBytes += part.Bytes.Length + EarlyPartBytes;
        while (EarlyBytes > EarlyBytesMax)
        {
            NoteShort(_early.First!.Value);
            Remove(_early.First);
        }
    }

    private void NoteShort(in EarlyPart given)
    {
        if (_short.Contains((given.Topic, given.Digest)))
        {
            return;
        }

        if (_short.Count == ShortMax)
        {
            _short.RemoveAt(0);
        }

        _short.Add((given.Topic, given.Digest));
    }

    /// <summary>
    /// Gives an assembly what came before it was wanted: the manifest first. What is false is dropped, and nobody blamed.
    /// </summary>
    public void TakeEarly(uint topic, ValueAssembly assembly)
    {
        for (int pass = 0; pass < 2; pass++)
        {
            for (LinkedListNode<EarlyPart>? node = _early.First; node is not null;)
            {
                LinkedListNode<EarlyPart> taken = node;
                node = node.Next;
                bool isOf = taken.Value.Topic == topic && taken.Value.Digest == assembly.Digest;
                if (isOf && (assembly.HasManifest || taken.Value.Index == ValuePart.Manifest))
                {
                    assembly.TryTake(new ValuePart(assembly.Digest, taken.Value.Index, taken.Value.Bytes));
                    Remove(taken);
                }
            }
        }
    }

    private void Remove(LinkedListNode<EarlyPart> node)
    {
        _early.Remove(node);
        if (_newestEarly.TryGetValue(node.Value.Key, out LinkedListNode<EarlyPart>? newest) && newest == node)
        {
            _newestEarly.Remove(node.Value.Key);
        }

        EarlyBytes -= node.Value.Bytes.Length + EarlyPartBytes;
    }

    private readonly record struct EarlyPart(uint Topic, Digest160 Digest, int Index, byte[] Bytes)
    {
        public (uint Topic, Digest160 Digest, int Index) Key => (Topic, Digest, Index);
    }
}

/// <summary>One value on its way: its manifest once there is one, and the chunks so far. Core thread.</summary>
/// <param name="wanted">The value, as a signed header names it.</param>
internal sealed class ValueAssembly(in WantedValue wanted)
{
    private readonly ReadOnlyMemory<byte> _previous = wanted.Previous;
    private ContentAssembly? _content;

    /// <summary>The digest of the value.</summary>
    public Digest160 Digest { get; } = wanted.Digest;

    /// <summary>Its length in bytes.</summary>
    public int Length { get; } = wanted.Length;

    /// <summary>Parts of it were given up before anybody waited for it: the stream does not bring them again.</summary>
    public bool IsShort { get; init; }

    /// <summary>How many nodes wait for it.</summary>
    public int UserCount { get; set; }

    /// <summary>Whether there is a manifest.</summary>
    public bool HasManifest => _content is not null;

    /// <summary>
    /// A chunk did not fit the manifest: one of the two is false, and only a host's word over its connection says which.
    /// </summary>
    public bool IsDoubted { get; private set; }

    /// <summary>Whether a host gave the manifest over its connection.</summary>
    public bool IsConfirmed { get; private set; }

    /// <summary>How many times it was begun: by a first manifest, and by another in its place.</summary>
    public int Beginnings { get; private set; }

    /// <summary>How many times it came nearer to being whole.</summary>
    public int Steps { get; private set; }

    /// <summary>The number of chunks; 0 without a manifest.</summary>
    public int ChunkCount => _content?.Manifest.Chunks.Length ?? 0;

    /// <summary>The whole value; null while it is not there.</summary>
    public byte[]? Value => _content?.TryGetValue(out byte[]? value) == true ? value : null;

    /// <summary>Whether chunk <paramref name="index"/> is still missing.</summary>
    public bool IsMissing(int index) => _content!.IsMissing(index);

    /// <summary>Takes a part that came by a stream; false when it is not what the digest says.</summary>
    public bool TryTake(in ValuePart part)
    {
        if (part.Index != ValuePart.Manifest)
        {
            return !HasManifest || TryAdd(part.Index, part.Bytes);
        }

        if (HasManifest)
        {
            return true;
        }

        if (ContentManifest.TryRead(part.Bytes, out ContentManifest? manifest) && IsOwn(manifest))
        {
            Begin(manifest);
            return true;
        }

        return false;
    }

    /// <summary>Adds a chunk; false, and the manifest is doubted, when it is another.</summary>
    public bool TryAdd(int index, ReadOnlySpan<byte> chunk)
    {
        int missing = _content!.MissingCount;
        bool isAdded = _content.TryAdd(index, chunk);
        IsDoubted |= !isAdded && !IsConfirmed;
        Steps += _content.MissingCount < missing ? 1 : 0;
        return isAdded;
    }

    /// <summary>
    /// Takes the manifest that the host gave over its connection: what was assembled by another one is thrown away. False when it is not
    /// that of the digest.
    /// </summary>
    public bool TryConfirm(ReadOnlySpan<byte> encoded)
    {
        if (!ContentManifest.TryRead(encoded, out ContentManifest? manifest) || !IsOwn(manifest))
        {
            return false;
        }

        if (_content is null || !_content.Manifest.Chunks.AsSpan().SequenceEqual(manifest.Chunks.AsSpan()))
        {
            Begin(manifest);
        }

        IsDoubted = false;
        IsConfirmed = true;
        return true;
    }

    /// <summary>Takes chunks that another value has: the previous one of a node that takes the key.</summary>
    public void Reuse(ReadOnlySpan<byte> previous) => _content?.Reuse(previous);

    private bool IsOwn(ContentManifest manifest) => manifest.Digest == Digest && manifest.TotalBytes == Length;

    private void Begin(ContentManifest manifest)
    {
        _content = new ContentAssembly(manifest, _previous.Span);
        Beginnings++;
        Steps++;
    }
}
