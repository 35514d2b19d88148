using Ripple.Engine.Links;
using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;

namespace Ripple.Client.Spaces;

/// <summary>
/// The events that a client emitted in one space and that are not delivered, kept to be emitted again: at most <see cref="EventsMax"/> and
/// <see cref="BytesMax"/>. Core thread.
/// </summary>
internal sealed class Emissions(SpaceHub hub, string application)
{
    /// <summary>The most events; half of what subscribers tell apart (<see cref="SeenEvents.WindowNumbers"/>).</summary>
    public const int EventsMax = SeenEvents.WindowNumbers / 2;

    /// <summary>The most bytes of payloads; one event may always be kept.</summary>
    public const long BytesMax = 16 * 1_024 * 1_024;

    private const int EnvelopeBytes = 4_096;

    private readonly SortedDictionary<ulong, Emission> _kept = [];
    private readonly SortedSet<ulong> _busy = [];
    private readonly SortedSet<ulong> _again = [];
    private TaskCompletionSource? _room;
    private ulong _last;
    private ulong _next = 1;
    private long _bytes;

    /// <summary>The events that are kept.</summary>
    public int Count => _kept.Count;

    /// <summary>
    /// Takes an event, and sends it as soon as it can. Null; or what to await before it is tried again, if it finds no room beside those
    /// that are awaited.
    /// </summary>
    /// <param name="emission">The event.</param>
    /// <param name="completions">The options of what is to be awaited.</param>
    public Task? TryEmit(Emission emission, TaskCreationOptions completions)
    {
        // Numbers are told apart by their distance, too: what is kept for long must not fall far behind.
        while (_kept.Count > 0 && (_last - _kept.First().Key >= EventsMax - 1 || _bytes + emission.Payload.Length > BytesMax))
        {
            Emission oldest = _kept.First().Value;
            if (oldest.IsAwaited)
            {
                _room ??= new TaskCompletionSource(completions);
                return _room.Task;
            }

            Remove(oldest);
        }

        emission.Number = ++_last;
        _kept.Add(emission.Number, emission);
        _bytes += emission.Payload.Length;
        hub.Pump();
        return null;
    }

    public void OnJoined()
    {
        _busy.Clear();
        _again.Clear();
        _next = _kept.Count > 0 ? _kept.First().Key : _last + 1;
    }

    /// <summary>The time after which a host that was busy is asked again has passed.</summary>
    public void OnBusyPassed()
    {
        _again.UnionWith(_busy);
        _busy.Clear();
    }

    public bool TrySend(ILink link)
    {
        while (_again.Count > 0)
        {
            if (!TrySend(link, _kept[_again.Min]))
            {
                return false;
            }

            _again.Remove(_again.Min);
        }

        for (; _next <= _last; _next++)
        {
            if (_kept.TryGetValue(_next, out Emission? emission) && !TrySend(link, emission))
            {
                return false;
            }
        }

        return true;
    }

    public void OnEmitted(EmitResult result)
    {
        if (!_kept.TryGetValue(result.Sequence, out Emission? emission))
        {
            return;
        }

        if (result.Code == ErrorCode.Busy)
        {
            // What follows was sent already and may overtake it; each is emitted again by itself.
            _busy.Add(result.Sequence);
            hub.AgainAfterBusy();
            return;
        }

        bool isEnd = result.Code != ErrorCode.None || result.Stage == EmitStage.Delivered;
        if (isEnd)
        {
            Remove(emission);
        }

        if (isEnd || (int)result.Stage >= (int)emission.Until)
        {
            emission.Answer.TrySetResult(result);
            emission.IsAwaited = false;
            MakeRoom();
        }
    }

    public void Stop(Exception reason)
    {
        foreach (Emission emission in _kept.Values)
        {
            emission.Answer.TrySetException(reason);
        }

        _room?.TrySetException(reason);
    }

    private bool TrySend(ILink link, Emission emission) =>
        SpaceHub.HasRoom(link, emission.Payload.Length + EnvelopeBytes)
        && link.TrySend(new Emit(application, hub.Epoch, emission.Number, emission.Values, emission.Payload));

    private void Remove(Emission emission)
    {
        _kept.Remove(emission.Number);
        _busy.Remove(emission.Number);
        _again.Remove(emission.Number);
        _bytes -= emission.Payload.Length;
        MakeRoom();
    }

    private void MakeRoom()
    {
        _room?.TrySetResult();
        _room = null;
    }
}

/// <summary>An event that is being emitted.</summary>
/// <param name="values">Its values.</param>
/// <param name="payload">What it carries; its own.</param>
/// <param name="until">How far its emitter waits.</param>
/// <param name="completions">The options of <see cref="Answer"/>.</param>
internal sealed class Emission(NamedValue[] values, byte[] payload, EmitUntil until, TaskCreationOptions completions)
{
    private volatile bool _isAwaited = true;

    public NamedValue[] Values => values;

    public byte[] Payload => payload;

    public EmitUntil Until => until;

    /// <summary>Its number; 0 until it is taken. Core thread.</summary>
    public ulong Number { get; set; }

    /// <summary>Somebody awaits it, so that it is not let go. Any thread.</summary>
    public bool IsAwaited
    {
        get => _isAwaited;
        set => _isAwaited = value;
    }

    /// <summary>The host's word on it, as far as is awaited, or why it is not taken.</summary>
    public TaskCompletionSource<EmitResult> Answer { get; } = new(completions);
}
