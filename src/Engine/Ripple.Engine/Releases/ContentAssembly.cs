using System.Diagnostics.CodeAnalysis;

namespace Ripple.Engine.Releases;

/// <summary>
/// Assembles a large value from its manifest: reuses the chunks that the previous value already has, and takes the others in any order,
/// each checked by its own hash. Holds <see cref="ContentManifest.TotalBytes"/> bytes from the start, which count against the node's
/// budget. One thread at a time.
/// </summary>
internal sealed class ContentAssembly
{
    private readonly byte[] _value;
    private readonly bool[] _have;

    /// <summary>Starts with the chunks that <paramref name="previous"/> already has.</summary>
    /// <param name="manifest">The manifest, already compared with the expected digest.</param>
    /// <param name="previous">The previous value, or empty; not kept.</param>
    public ContentAssembly(ContentManifest manifest, ReadOnlySpan<byte> previous = default)
    {
        Manifest = manifest;
        _value = new byte[manifest.TotalBytes];
        _have = new bool[manifest.Chunks.Length];
        MissingCount = _have.Length;
        Reuse(previous);
    }

    /// <summary>The manifest of the value being assembled.</summary>
    public ContentManifest Manifest { get; }

    /// <summary>How many chunks are still missing.</summary>
    public int MissingCount { get; private set; }

    /// <summary>How many bytes were copied from the previous value.</summary>
    public int ReusedBytes { get; private set; }

    /// <summary>Whether chunk <paramref name="index"/> is still missing.</summary>
    public bool IsMissing(int index) => !_have[index];

    /// <summary>
    /// Adds a chunk. False, and nothing changes, when the bytes are not the chunk of that index. A chunk that is already present is
    /// accepted and ignored.
    /// </summary>
    public bool TryAdd(int index, ReadOnlySpan<byte> chunk)
    {
        if ((uint)index >= (uint)_have.Length)
        {
            return false;
        }

        if (_have[index])
        {
            return true;
        }

        if (!Manifest.Verify(index, chunk))
        {
            return false;
        }

        Put(index, chunk);
        return true;
    }

    /// <summary>The whole value, once no chunk is missing. The caller owns the array from then on.</summary>
    public bool TryGetValue([NotNullWhen(true)] out byte[]? value)
    {
        value = MissingCount == 0 ? _value : null;
        return value is not null;
    }

    /// <summary>
    /// Takes the missing chunks that another value has: <paramref name="previous"/>, which may be empty. Hashes all of it.
    /// </summary>
    public void Reuse(ReadOnlySpan<byte> previous)
    {
        if (previous.IsEmpty || MissingCount == 0)
        {
            return;
        }

        var held = new Dictionary<Digest256, ContentChunk>();
        foreach (ContentChunk chunk in ContentDigest.Describe(previous).Chunks)
        {
            held.TryAdd(chunk.Leaf, chunk);
        }

        for (int i = 0; i < _have.Length; i++)
        {
            ContentChunk wanted = Manifest.Chunks[i];
            if (!_have[i] && held.TryGetValue(wanted.Leaf, out ContentChunk chunk) && chunk.Length == wanted.Length)
            {
                Put(i, previous.Slice(chunk.Offset, chunk.Length));
                ReusedBytes += chunk.Length;
            }
        }
    }

    private void Put(int index, ReadOnlySpan<byte> chunk)
    {
        chunk.CopyTo(_value.AsSpan(Manifest.Chunks[index].Offset));
        _have[index] = true;
        MissingCount--;
    }
}
