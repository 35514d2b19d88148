using System.Buffers.Binary;
using Ripple.Engine.Protocol.Calls;

namespace Ripple.Testing.Adversary.Kinds;

/// <summary>Calls on the own connection: publishes and rollbacks that its token does not allow, waits, reads.</summary>
internal sealed class Calls : IForgery
{
    private const uint CallMin = 1_000_000;

    /// <inheritdoc/>
    public string Name => "calls";

    /// <inheritdoc/>
    public double Share => 0.6;

    /// <inheritdoc/>
    public void Forge(Attacker attacker)
    {
        string application = attacker.Random.NextBool(0.8) ? attacker.Captured.Application : "ops";
        uint call = CallMin + (uint)attacker.Random.NextInt32(1_000_000);
        ulong release = 1 + (ulong)attacker.Random.NextInt64(1 + (long)(attacker.Captured.Held?.Keys.Release ?? 0));
        switch (attacker.Random.NextInt32(7))
        {
            case 0:
                Publish(attacker, application, call);
                return;
            case 1:
                var rollback = new Rollback(call, application, NewId(attacker), release, ExpectedState.Any, "forged");
                attacker.TrySend(rollback);
                return;
            case 2:
                attacker.TrySend(new Wait(call, application, 0, release, "MIN($ALL.applied.direct)", 1_000, false));
                return;
            case 3:
                attacker.TrySend(new WaitCancel(call));
                return;
            case 4:
                attacker.TrySend(new Status(call, application));
                return;
            case 5:
                attacker.TrySend(new CreateApplication(call, "forged"));
                return;
            default:
                attacker.TrySend(new ReadKey(call, application, release, "key-0"));
                return;
        }
    }

    private static void Publish(Attacker attacker, string application, uint call)
    {
        Guid id = NewId(attacker);
        attacker.TrySend(
            new PublishBegin(call, application, id, ExpectedState.Any, "forged", "", [new PublishKey("key-0", false, 4)]));
        attacker.TrySend(new PublishPart(call, "evil"u8.ToArray()));
    }

    private static Guid NewId(Attacker attacker)
    {
        Span<byte> bytes = stackalloc byte[16];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, attacker.Random.NextUInt64());
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[8..], attacker.Random.NextUInt64());
        return new Guid(bytes);
    }
}
