using System.Text;
using Ripple.Engine.Releases;

namespace Ripple.Engine.Tests.Releases;

/// <summary>A primary's releases of "shop", one after the other, as messages.</summary>
internal sealed class ReleaseChain
{
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
            stateRoot: _state.RootAfter([]));
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
        var bodies = new Dictionary<Digest160, ReadOnlyMemory<byte>>();
        foreach (byte[] body in values.Select(v => Encoding.UTF8.GetBytes(v.Value)))
        {
            bodies[ContentDigest.Compute(body)] = body;
        }

        var signature = new ReleaseSignature(1, new byte[ReleaseSignature.SignatureBytes]);
        return ReleaseMessage.Encode(header, isSigned ? signature : null, d => bodies[d], inlineBytesMax);
    }
}
