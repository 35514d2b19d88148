using System.Text;
using System.Threading.Channels;
using Ripple.Admin.Contracts;
using Ripple.Engine.Matching;
using Ripple.Gms.Calls;
using Ripple.Gms.Matching;
using Ripple.Transports.Running;

namespace Ripple.Gms.Api;

/// <summary>
/// A subscriber over HTTP: takes events from its session in batches, and acknowledges a batch when it asks for the next, once it was
/// written. Any thread, but for the outlet, which is of the core.
/// </summary>
/// <param name="runner">The way into the core.</param>
/// <param name="calls">The calls about events.</param>
internal sealed class HttpSubscriber(CoreRunner runner, EventCalls calls) : IEventOutlet
{
    private const int BatchMax = 64;

    private static readonly object Woken = new();
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private readonly Channel<object> _told = Channel.CreateBounded<object>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite, SingleReader = true });

    private EventSession? _session;
    private ulong _last;
    private ulong _toldDropped;

    /// <summary>An item whenever events may be there; completed with the reason when the subscription is ended.</summary>
    public ChannelReader<object> Told => _told.Reader;

    /// <summary>Begins with a session. Core thread.</summary>
    public void Begin(EventSession session) => _session = session;

    /// <summary>Acknowledges what was taken before, and takes what is there; empty if nothing is.</summary>
    public Task<SpaceEvent[]> TakeAsync() => runner.RunAsync(Take);

    /// <summary>Ends the session.</summary>
    public Task EndAsync() => runner.RunAsync(() => calls.End(_session!));

    void IEventOutlet.OnReady(EventSession session) => _told.Writer.TryWrite(Woken);

    void IEventOutlet.OnEnded(EventSession session, uint subscription, Refusal refusal) =>
        _told.Writer.TryComplete(new ApiProblemException(refusal));

    void IEventOutlet.OnReplaced(EventSession session) =>
        _told.Writer.TryComplete(ApiProblemException.Invalid("Another connection took the subscription over."));

    private static SpaceEvent Of(EventEntry entry, ulong dropped)
    {
        LiveEvent live = entry.Event;
        string? text = TextOf(live.Payload.Span);
        return new SpaceEvent
        {
            Id = HostGateway.IdOf(live.Id),
            Point = live.Values.ToDictionary(v => v.Name, v => SpaceText.Show(v.Value)),
            Text = text,
            Bytes = text is null ? live.Payload.ToArray() : null,
            Dropped = dropped,
        };
    }

    private static string? TextOf(ReadOnlySpan<byte> payload)
    {
        try
        {
            return Strict.GetString(payload);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    private SpaceEvent[] Take()
    {
        EventSession session = _session!;
        if (session.IsEnded)
        {
            return [];
        }

        session.OnAck(_last);
        var taken = new List<SpaceEvent>();
        while (taken.Count < BatchMax && session.TryPeek(out EventEntry entry))
        {
            session.OnSent();
            calls.OnDelivered();
            _last = entry.Sequence;
            taken.Add(Of(entry, session.DroppedCount - _toldDropped));
            _toldDropped = session.DroppedCount;
        }

        return [.. taken];
    }
}
