using Ripple.Engine.Matching;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Regions;

namespace Ripple.Gms.Matching;

/// <summary>An event that is not delivered to all of its subscribers yet. Core thread.</summary>
/// <param name="id">Its id.</param>
/// <param name="values">Its values, of the kinds of the dimensions.</param>
/// <param name="payload">What it carries; shared by all deliveries.</param>
internal sealed class LiveEvent(EventId id, IReadOnlyList<NamedValue> values, ReadOnlyMemory<byte> payload)
{
    private const int OwnBytes = 192;
    private const int ValueBytes = 24;

    public EventId Id => id;

    public IReadOnlyList<NamedValue> Values => values;

    public ReadOnlyMemory<byte> Payload => payload;

    /// <summary>What it counts for.</summary>
    public long Bytes { get; } = OwnBytes + payload.Length + (values.Count * ValueBytes);

    /// <summary>How far it is.</summary>
    public EmitStage Stage { get; set; }

    /// <summary>The sessions it was given to.</summary>
    public uint Matched { get; set; }

    /// <summary>The sessions that hold it.</summary>
    public int Holders { get; set; }

    /// <summary>It is kept for subscribers that come back.</summary>
    public bool IsKept { get; set; }

    /// <summary>Told how far it is; of those who emitted it again, the last. Null once nobody is there.</summary>
    public Action<LiveEvent>? OnStage { get; set; }

    /// <summary>Notes that it was given to another session.</summary>
    public void Hold()
    {
        Holders++;
        Matched++;
    }
}

/// <summary>Names an event wherever it goes.</summary>
/// <param name="Emitter">The node that emitted it.</param>
/// <param name="Epoch">The emitter's number at its start.</param>
/// <param name="Number">Its number there.</param>
internal readonly record struct EventId(NodeId Emitter, ulong Epoch, ulong Number);
