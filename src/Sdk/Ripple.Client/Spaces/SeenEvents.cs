using System.Numerics;
using Ripple.Engine.Regions;

namespace Ripple.Client.Spaces;

/// <summary>
/// The events that a client has seen, so that it shows none twice: for each emitter a window over the numbers below its newest. Bounded: of
/// more emitters than <see cref="EmittersMax"/> the one that was silent for longest is forgotten. Core thread.
/// </summary>
internal sealed class SeenEvents
{
    /// <summary>The most emitters.</summary>
    public const int EmittersMax = 4_096;

    /// <summary>
    /// The numbers that are told apart below the newest: twice as many as an emitter may have under way, so that what is lower was seen.
    /// </summary>
    public const int WindowNumbers = 8_192;

    private const int WordBits = 64;

    private readonly Dictionary<(NodeId Emitter, ulong Epoch), LinkedListNode<Window>> _byEmitter = [];
    private readonly LinkedList<Window> _byUse = [];

    /// <summary>Notes an event; false if it was seen before.</summary>
    public bool TryAdd(RippleEventId id)
    {
        if (!_byEmitter.TryGetValue((id.Emitter, id.Epoch), out LinkedListNode<Window>? node))
        {
            if (_byEmitter.Count == EmittersMax)
            {
                _byEmitter.Remove(_byUse.First!.Value.Of);
                _byUse.RemoveFirst();
            }

            node = _byUse.AddLast(new Window((id.Emitter, id.Epoch)));
            _byEmitter.Add(node.Value.Of, node);
        }
        else if (node.Next is not null)
        {
            _byUse.Remove(node);
            _byUse.AddLast(node);
        }

        return node.Value.TryAdd(id.Number);
    }

    private sealed class Window((NodeId Emitter, ulong Epoch) of)
    {
        private readonly ulong[] _bits = new ulong[WindowNumbers / WordBits];
        private ulong _newest;

        public (NodeId Emitter, ulong Epoch) Of => of;

        public bool TryAdd(ulong number)
        {
            if (number > _newest)
            {
                // The places between are those of numbers that left the window.
                for (ulong n = Math.Max(_newest + 1, number >= WindowNumbers ? number - WindowNumbers + 1 : 0); n < number; n++)
                {
                    _bits[Word(n)] &= ~Bit(n);
                }

                _newest = number;
                _bits[Word(number)] |= Bit(number);
                return true;
            }

            if (_newest - number >= WindowNumbers || (_bits[Word(number)] & Bit(number)) != 0)
            {
                return false;
            }

            _bits[Word(number)] |= Bit(number);
            return true;
        }

        private static int Word(ulong number) => (int)(number % WindowNumbers / WordBits);

        private static ulong Bit(ulong number) => BitOperations.RotateLeft(1UL, (int)(number % WordBits));
    }
}
