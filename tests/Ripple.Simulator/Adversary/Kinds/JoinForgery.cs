using Ripple.Engine.Links;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.CatchingUp;
using Ripple.Engine.Protocol.Joining;
using Ripple.Engine.Wire;
using Ripple.Simulator.Cluster;
using Ripple.Simulator.Network;

namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>A connection of the attacker's own, with the captured identity: one join, then a proof where one is asked for.</summary>
internal sealed class JoinForgery : ILinkConnectResult, ILinkHandler
{
    private const long StayNs = 500_000_000;
    private readonly Attacker _attacker;
    private readonly int _forgery;
    private readonly Join _join;
    private readonly Action<JoinAccepted>? _onAccepted;
    private SimulatedLink? _link;

    private JoinForgery(Attacker attacker, Join join, Action<JoinAccepted>? onAccepted)
    {
        _attacker = attacker;
        _forgery = attacker.Current;
        _join = join;
        _onAccepted = onAccepted;
    }

    /// <summary>Joins on the machine of the captured member.</summary>
    /// <param name="attacker">Whose join it is.</param>
    /// <param name="alter">Makes the forged join of one that claims nothing.</param>
    /// <param name="onAccepted">Called when the host lets it in.</param>
    public static void Send(Attacker attacker, Func<Join, Join> alter, Action<JoinAccepted>? onAccepted = null)
    {
        SimulatedClient client = attacker.Captured.Client;
        if (!client.Machine.IsRunning || client.DataAddress is not { } address || attacker.Captured.Accepted is not { } accepted)
        {
            return;
        }

        var join = new Join(
            Join.CurrentVersion,
            client.Machine.Zone,
            client.Machine.Name,
            [],
            [attacker.Captured.Application],
            address,
            address,
            [],
            accepted.View.Number.SlotEpoch - 1);
        var forgery = new JoinForgery(attacker, alter(join), onAccepted);
        attacker.World.Control.CreateConnector(client.Machine).Connect("host:7400", forgery);
    }

    /// <inheritdoc/>
    public void OnConnected(ILink link)
    {
        _link = (SimulatedLink)link;
        link.Handler = this;
        _attacker.TrySend(_link, (ushort)MessageType.Join, MessageCodec.Encode(_join), _forgery);
        _attacker.Captured.Client.Machine.Schedule(StayNs, () => _attacker.Captured.Client.Machine.Post(() => link.Close("done")));
    }

    /// <inheritdoc/>
    public void OnConnectFailed(LinkConnectFailure failure, string text, string? leader)
    {
    }

    /// <inheritdoc/>
    public void OnFrame(ushort type, ReadOnlySpan<byte> body)
    {
        if ((MessageType)type == MessageType.JoinAccepted
            && _onAccepted is not null
            && MessageCodec.TryRead(body, out JoinAccepted? accepted) == DecodeStatus.Ok)
        {
            _attacker.Resume(_forgery);
            _onAccepted(accepted!);
        }

        if ((MessageType)type == MessageType.ProofRequest && _attacker.Captured.Held?.Proof is { } proof)
        {
            var answer = new Proof(_attacker.Captured.Topic, proof.Signed.Encode(), new byte[proof.Signature.Encode().Length]);
            _attacker.TrySend(_link!, (ushort)MessageType.Proof, MessageCodec.Encode(answer), _forgery);
        }
    }

    /// <inheritdoc/>
    public void OnWritable()
    {
    }

    /// <inheritdoc/>
    public void OnClosed(string reason)
    {
    }
}
