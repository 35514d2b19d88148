namespace Ripple.Simulator.Adversary.Kinds;

/// <summary>Control frames that the captured member sent, sent again.</summary>
internal sealed class RepeatedFrames : IForgery
{
    /// <inheritdoc/>
    public string Name => "repeated frames";

    /// <inheritdoc/>
    public double Share => 0.4;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        IReadOnlyList<(ushort Type, byte[] Body)> sent = attacker.Captured.SentFrames;
        if (sent.Count > 0)
        {
            (ushort type, byte[] body) = sent[attacker.Random.NextInt32(sent.Count)];
            attacker.TrySend(type, body);
        }
    }
}
