namespace Ripple.Attacks.Attacks;

/// <summary>Every attack.</summary>
internal static class AttackTable
{
    public static IReadOnlyList<Attack> All { get; } =
    [
        new SlotEpochs(),
        new ForgedAggregates(),
        new WaitFlood(),
        new StatusFlood(),
        new TinyItems(),
        new PastReads(),
        new SilentConnections(),
        new NumberLeap(),
        new LeaversKey(),
        new MadeUpActor(),
        new UnsentUploads(),
        new ReflectedDatagrams(),
        new EscapedNames(),
        new JsonBomb(),
        new ManyKeys(),
        new RevokedWait(),
        new ManyZones(),
        new OthersValue(),
        new UnsignedClaims(),
        new FirstBack(),
        new IdleAuthenticated(),
        new ProofFlood(),
        new ForgedGenerations(),
    ];
}
