using Ripple.Engine.Matching;
using Ripple.Engine.Protocol;
using Ripple.Engine.Protocol.Events;
using Ripple.Engine.Regions;
using Ripple.Gms.Matching;

namespace Ripple.Gms.Tests.Matching;

public sealed partial class EventPropertyTests
{
    private sealed class Emitter(History history, int number)
    {
        private readonly SortedDictionary<ulong, (long X, long Y)> _kept = [];
        private readonly SortedSet<ulong> _noted = [];
        private int _incarnation;
        private ulong _last;

        public int KeptCount => _kept.Count;

        public void Emit(long x, long y)
        {
            _kept.Add(++_last, (x, y));
            Send(_last);
        }

        /// <summary>As on a new connection: all that is not delivered, in order.</summary>
        public void Resend()
        {
            // One that finds room may have another dropped, which is delivered then.
            foreach (ulong at in _kept.Keys.ToArray().Where(_kept.ContainsKey))
            {
                Send(at);
            }
        }

        public void OnHostGone() => _incarnation++;

        private void Send(ulong at)
        {
            (long x, long y) = _kept[at];
            var id = new EventId(new NodeId(9, (ulong)number), 1, at);
            int incarnation = _incarnation;
            NamedValue[] values = [new("x", AttributeValue.Integer(x)), new("y", AttributeValue.Integer(y))];
            Refusal? refusal = history.Space.Emit(id, values, default, live =>
            {
                if (incarnation == _incarnation && live.Stage == EmitStage.Delivered)
                {
                    _kept.Remove(at);
                }
            });
            if (refusal is not null)
            {
                // Kept, and emitted again.
                Assert.True(history.Blocks && refusal.Code == ErrorCode.Busy, refusal.Text);
            }
            else if (_noted.Add(at))
            {
                history.Note(id, x, y);
            }
        }
    }

    private sealed class Subscriber(History history, int number) : IEventOutlet
    {
        private readonly SortedDictionary<uint, Square> _everBoxes = [];
        private readonly Dictionary<EventId, uint[]> _shown = [];
        private Outlet? _outlet;
        private EventSession? _session;
        private ulong _toldDropped;
        private uint _lastBox;

        public SessionKey Key { get; } = new($"node-{number}", 1);

        public SortedDictionary<uint, Square> Boxes { get; } = [];

        public ulong Told { get; private set; }

        /// <summary>Since when it has no connection; far in the future while it has one.</summary>
        public long BrokenNs { get; private set; } = long.MaxValue / 2;

        public bool Saw(EventId id, uint box) => _shown.TryGetValue(id, out uint[]? boxes) && boxes.Contains(box);

        public void Subscribe(Square box)
        {
            Connect();
            Boxes.Add(++_lastBox, box);
            _everBoxes.Add(_lastBox, box);
            Send(_lastBox, isResumed: false, hasMore: false);
        }

        public void Unsubscribe(uint box)
        {
            Connect();
            Boxes.Remove(box);
            history.Space.Unsubscribe(_session!, box);
        }

        public void Connect()
        {
            if (_outlet is null)
            {
                uint[] boxes = [.. Boxes.Keys];
                for (int i = 0; i < boxes.Length; i++)
                {
                    Send(boxes[i], isResumed: true, hasMore: i < boxes.Length - 1);
                }
            }
        }

        /// <summary>It comes back, and its connection breaks before the last of its subscriptions is there.</summary>
        public void ConnectInPart()
        {
            if (_outlet is null && Boxes.Count > 1)
            {
                Send(Boxes.Keys.First(), isResumed: true, hasMore: true);
                Break();
            }
        }

        public void Break()
        {
            if (_outlet is not null)
            {
                _session?.Detach(_outlet, history.NowNs);
                Lose();
            }
        }

        public void OnHostGone()
        {
            _session = null;
            _toldDropped = 0;
            Lose();
        }

        /// <summary>Takes what is there, up to so many, and acknowledges it.</summary>
        public void Take(int count)
        {
            while (_outlet is not null && _session is { IsEnded: false } session && count-- > 0 && session.TryPeek(out EventEntry entry))
            {
                session.OnSent();
                OnDelivery(entry, session.DroppedCount);
                session.OnAck(entry.Sequence);
            }
        }

        void IEventOutlet.OnReady(EventSession session)
        {
        }

        void IEventOutlet.OnEnded(EventSession session, uint subscription, Refusal refusal) => history.Fail(refusal.Text);

        void IEventOutlet.OnReplaced(EventSession session) => history.Fail("replaced");

        private void Lose()
        {
            _outlet = null;
            BrokenNs = Math.Min(BrokenNs, history.NowNs);
        }

        private void Send(uint box, bool isResumed, bool hasMore)
        {
            if (_outlet is null)
            {
                _outlet = new Outlet(this);
                BrokenNs = long.MaxValue / 2;
            }

            _session = history.Space.Subscribe(
                Key,
                new ShareOwner("token", "shop"),
                new Subscribe("shop", Key.Epoch, box, isResumed, hasMore, history.Blocks, Boxes[box].Ranges),
                _outlet,
                out Refusal? refusal);
            Assert.Null(refusal);
        }

        private void OnDelivery(EventEntry entry, ulong dropped)
        {
            EventId id = entry.Event.Id;
            long x = entry.Event.Values[0].Value.Key;
            long y = entry.Event.Values[1].Value.Key;
            if (entry.Subscriptions.Any(b => !_everBoxes[b].Has(x, y))
                || !entry.Subscriptions.SequenceEqual(entry.Subscriptions.Distinct()))
            {
                history.Fail($"{Key} is given {id} at {x}, {y} for {string.Join(", ", entry.Subscriptions)}");
            }

            Told += dropped < _toldDropped ? dropped : dropped - _toldDropped;
            _toldDropped = dropped;

            _shown.TryAdd(id, entry.Subscriptions);
        }

        /// <summary>One connection.</summary>
        private sealed class Outlet(IEventOutlet of) : IEventOutlet
        {
            public void OnReady(EventSession session) => of.OnReady(session);

            public void OnEnded(EventSession session, uint subscription, Refusal refusal) => of.OnEnded(session, subscription, refusal);

            public void OnReplaced(EventSession session) => of.OnReplaced(session);
        }
    }
}
