namespace Ripple.Engine.Core;

/// <summary>
/// One owner's right to one buffer of a <see cref="BufferPool"/>. Copies share that right: returning one of them ends all.
/// </summary>
internal readonly struct BufferLease
{
    private readonly BufferPool? _pool;
    private readonly int _index;
    private readonly int _version;

    internal BufferLease(BufferPool pool, int index, int version)
    {
        _pool = pool;
        _index = index;
        _version = version;
    }

    /// <summary>True for the default value, which leases nothing.</summary>
    public bool IsNone => _pool is null;

    /// <summary>The whole buffer.</summary>
    /// <exception cref="InvalidOperationException">The lease is empty or was returned.</exception>
    public byte[] Array =>
        _pool is null ? throw new InvalidOperationException("An empty lease has no buffer.") : _pool.ArrayOf(_index, _version);

    /// <summary>The whole buffer.</summary>
    /// <exception cref="InvalidOperationException">The lease is empty or was returned.</exception>
    public Span<byte> Span => Array;

    /// <summary>Returns the buffer to its pool. Does nothing for an empty lease.</summary>
    /// <exception cref="InvalidOperationException">The lease was already returned.</exception>
    public void Return() => _pool?.Return(_index, _version);
}
