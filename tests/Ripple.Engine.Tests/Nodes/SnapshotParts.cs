using System.Text;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Values;
using Ripple.Engine.Releases;
using Ripple.Engine.Tests.Releases;

namespace Ripple.Engine.Tests.Nodes;

/// <summary>A state of "shop" at one release, as a host sends it.</summary>
internal sealed class SnapshotParts
{
    private readonly SortedDictionary<string, byte[]> _values = new(KeyOrder.Instance);

    public SnapshotParts(uint generation, ulong release, params (string Key, string Value)[] values)
    {
        foreach ((string key, string value) in values)
        {
            _values[key] = Encoding.UTF8.GetBytes(value);
        }

        Header = Headers.Make(
            kind: release == 1 ? ReleaseKind.Creation : ReleaseKind.Changes,
            generation: generation,
            release: release,
            previousId: release == 1 ? default : Headers.RandomDigest(new Random((int)release)),
            stateRoot: ReleaseState.Empty(NodeRig.Application).Trie.Apply(
                _values.Select(v => KeyChange.Set(v.Key, KeyForm.Bytes, v.Value))).Root);
    }

    public ReleaseHeader Header { get; }

    public byte[] Signature { get; } = new ReleaseSignature(1, new byte[ReleaseSignature.SignatureBytes]).Encode();

    public SnapshotBegin Begin => new(NodeRig.Topic, Header.Encode(), Signature);

    public SnapshotKeys Keys => new(NodeRig.Topic, [.. _values.Select(Key)]);

    public SnapshotEnd End => new(NodeRig.Topic, (uint)_values.Count);

    public static SnapshotKey Key(KeyValuePair<string, byte[]> value) =>
        new(value.Key, ContentDigest.Compute(value.Value), (uint)value.Value.Length, (byte)KeyForm.Bytes);

    /// <summary>Sends all of it, and no value.</summary>
    public void SendTo(NodeRig rig)
    {
        rig.Send(Begin);
        rig.Send(Keys);
        rig.Send(End);
    }

    /// <summary>Answers one request for a value.</summary>
    public void SendValueTo(NodeRig rig, BodyRequest request) => rig.Send(
        new Body(NodeRig.Topic, request.Digest, _values.Values.First(v => ContentDigest.Compute(v) == request.Digest)));

    /// <summary>Answers the requests for values that came, until none comes any more, and says how many.</summary>
    public int SendValuesTo(NodeRig rig)
    {
        int sent = 0;
        while (rig.Host.All<BodyRequest>() is { Count: > 0 } requests)
        {
            rig.Host.Forget();
            foreach (BodyRequest request in requests)
            {
                SendValueTo(rig, request);
                sent++;
            }
        }

        return sent;
    }
}
