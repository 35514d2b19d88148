using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

/// <summary>A primary's releases of "shop", one after the other, as messages.</summary>
internal sealed class ReleaseChain
{
    private readonly Dictionary<string, byte[]> _values = [];
    private ReleaseState _state = ReleaseState.Empty("shop");

    /// <summary>Of a host that was restored to a state that others have, too.</summary>
    public static ReleaseChain From(ReleaseState state) => new() { _state = state };

    /// <summary>The next one begins a new generation.</summary>
    public byte[] Begin()
    {
        Newest = Headers.Make(
            ReleaseKind.Creation,
            generation: _state.Generation + 1,
            release: _state.Release + 1,
            previousId: _state.Id,
            stateRoot: _state.Trie.Apply([]).Root);
        Assert.Equal(ApplyStatus.Applied, _state.Apply(Newest, out _state));
        var signature = new ReleaseSignature(1, new byte[ReleaseSignature.SignatureBytes]);
        return ReleaseMessage.Encode(Newest, signature, _ => default, 0);
    }

    /// <summary>The state after the newest of them.</summary>
    public ReleaseState State => _state;

    /// <summary>The header of the newest of them.</summary>
    public ReleaseHeader? Newest { get; private set; }

    public byte[] Next(params (string Key, string Value)[] values) => Next(isSigned: true, values);

    public byte[] Next(bool isSigned, params (string Key, string Value)[] values) => Next(isSigned, 1_000_000, values);

    public byte[] Next(bool isSigned, int inlineBytesMax, params (string Key, string Value)[] values)
    {
        ReleaseHeader header = Headers.After(_state, [.. values.Select(v => Headers.Set(v.Key, v.Value))]);
        Assert.Equal(ApplyStatus.Applied, _state.Apply(header, out _state));
        Newest = header;
        return Encode(header, isSigned, inlineBytesMax, null, values);
    }

    /// <summary>The next one, whose values travel as deltas from those before.</summary>
    public byte[] Edit(params (string Key, string Value)[] values) => Edit(isSigned: true, 1_000_000, delta => delta, values);

    /// <param name="isSigned">Whether it has the signature of its batch.</param>
    /// <param name="inlineBytesMax">The most bytes of values and deltas.</param>
    /// <param name="change">Makes of a delta what travels.</param>
    /// <param name="values">What is set, in the order of keys.</param>
    public byte[] Edit(bool isSigned, int inlineBytesMax, Func<byte[], byte[]> change, params (string Key, string Value)[] values)
    {
        ShortForm?[] forms =
        [
            .. values.Select(v => _values.TryGetValue(v.Key, out byte[]? before)
                && ValueDelta.TryMake(before, Encoding.UTF8.GetBytes(v.Value), int.MaxValue) is { } delta
                    ? new ShortForm(IsDelta: true, IsCompressed: false, change(delta))
                    : (ShortForm?)null),
        ];
        return Next(isSigned, inlineBytesMax, forms, values);
    }

    /// <summary>The next one, whose values travel as compressed deltas from those before.</summary>
    /// <param name="change">Makes of the instructions those that are compressed.</param>
    /// <param name="values">What is set, in the order of keys; each was set before.</param>
    public byte[] CompressEdit(Func<byte[], byte[]> change, params (string Key, string Value)[] values) => Next(
        isSigned: true,
        1_000_000,
        [.. values.Select(v =>
        {
            byte[] delta = change(ValueDelta.TryMake(_values[v.Key], Encoding.UTF8.GetBytes(v.Value), int.MaxValue)!);
            return new ShortForm(IsDelta: true, IsCompressed: true, ValueCompression.TryCompress(delta, int.MaxValue)!);
        })],
        values);

    /// <summary>The next one, whose values travel compressed.</summary>
    public byte[] Compress(Func<byte[], byte[]> change, params (string Key, string Value)[] values) => Next(
        isSigned: true,
        1_000_000,
        [.. values.Select(v => new ShortForm(
            IsDelta: false, IsCompressed: true, change(ValueCompression.TryCompress(Encoding.UTF8.GetBytes(v.Value), int.MaxValue)!)))],
        values);

    /// <summary>The next one, whose values follow in the stream.</summary>
    public byte[] Follow(params (string Key, string Value)[] values)
    {
        ReleaseHeader header = Headers.After(_state, [.. values.Select(v => Headers.Set(v.Key, v.Value))]);
        Assert.Equal(ApplyStatus.Applied, _state.Apply(header, out _state));
        Newest = header;
        return Encode(header, isSigned: true, 0, null, values, _ => true);
    }

    private byte[] Next(bool isSigned, int inlineBytesMax, ShortForm?[] forms, (string Key, string Value)[] values)
    {
        ReleaseHeader header = Headers.After(_state, [.. values.Select(v => Headers.Set(v.Key, v.Value))]);
        Assert.Equal(ApplyStatus.Applied, _state.Apply(header, out _state));
        Newest = header;
        return Encode(header, isSigned, inlineBytesMax, forms, values);
    }

    private byte[] Encode(
        ReleaseHeader header,
        bool isSigned,
        int inlineBytesMax,
        IReadOnlyList<ShortForm?>? forms,
        (string Key, string Value)[] values,
        Func<int, bool>? stream = null)
    {
        var bodies = new Dictionary<Digest160, ReadOnlyMemory<byte>>();
        foreach ((string key, string value) in values)
        {
            _values[key] = Encoding.UTF8.GetBytes(value);
            bodies[ContentDigest.Compute(_values[key])] = _values[key];
        }

        var signature = new ReleaseSignature(1, new byte[ReleaseSignature.SignatureBytes]);
        return ReleaseMessage.Encode(header, isSigned ? signature : null, d => bodies[d], inlineBytesMax, null, forms, stream);
    }
}
