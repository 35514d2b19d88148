using Ripple.Engine.Core;
using Ripple.Engine.Memory;

namespace Ripple.Engine.Streams;

/// <summary>
/// The repairs a sender owes. Members take turns, a repair each; those of one member leave in the order of its requests, so that a member
/// that asks for much delays only itself. Bounded: when it is full, a member that holds less than its share takes the oldest place of one
/// that holds more. Its memory is allocated at the first request. A small table remembers the repairs queued or sent recently: an
/// overwritten entry may cost one repair too many, never one too few.
/// </summary>
/// <param name="capacity">The most repairs that wait.</param>
/// <param name="recentMax">The entries of the table of recent repairs.</param>
internal sealed class RepairQueue(int capacity, int recentMax)
{
    private const int None = -1;
    private const long Queued = long.MaxValue;

    /// <summary>An entry of a dictionary by address: hash, next, key, value, and its bucket.</summary>
    private const int IndexEntryBytes = 48;

    private readonly Dictionary<NodeAddress, int> _turnOf = [];
    private Repair[]? _repairs;
    private Turn[] _turns = [];
    private Recent[] _recent = [];
    private int _free;
    private int _turnCount;
    private int _hand;

    public int Count { get; private set; }

    /// <summary>The members that wait.</summary>
    public int MemberCount => _turnCount;

    /// <summary>Whose turn it is; only while any waits.</summary>
    public NodeAddress Next => _turns[_hand < _turnCount ? _hand : 0].To;

    public static void AddMemory(MemoryBudget budget, int capacity, int recentMax)
    {
        budget.Add<Repair>(MemoryScope.Region, MemoryKind.Retained, "stream: repairs that wait", capacity);
        budget.Add<Turn>(MemoryScope.Region, MemoryKind.Retained, "stream: members that wait for repairs", capacity);
        budget.Add(MemoryScope.Region, MemoryKind.Retained, "stream: their turns by address", capacity, IndexEntryBytes);
        budget.Add<Recent>(MemoryScope.Region, MemoryKind.Retained, "stream: repairs made lately", recentMax);
    }

    /// <summary>True when the same repair is queued, or was sent after the given time.</summary>
    public bool IsSuppressed(ulong sequence, in NodeAddress to, long afterNs)
    {
        if (_repairs is null)
        {
            return false;
        }

        ref Recent recent = ref _recent[IndexOf(sequence, to)];
        return recent.Sequence == sequence && recent.To == to && recent.SentNs > afterNs;
    }

    /// <summary>The number and time of a repair that was sent lately; false when it was not, or waits again, or is forgotten.</summary>
    public bool TryGetSent(ulong sequence, in NodeAddress to, out ulong number, out long sentNs)
    {
        Recent recent = _repairs is null ? default : _recent[IndexOf(sequence, to)];
        bool wasSent = recent.Sequence == sequence && recent.To == to && recent.SentNs != Queued && recent.Number != 0;
        (number, sentNs) = wasSent ? (recent.Number, recent.SentNs) : (0, 0);
        return wasSent;
    }

    /// <summary>Queues a repair; false when there is no room for it, because the member holds its share of the places already.</summary>
    public bool TryAdd(ulong sequence, in NodeAddress to)
    {
        Repair[] repairs = _repairs ?? Allocate();
        bool isWaiting = _turnOf.TryGetValue(to, out int turn);
        if (Count == capacity)
        {
            int waiting = _turnCount + (isWaiting ? 0 : 1);
            int share = Math.Max(1, capacity / waiting);
            if (isWaiting && _turns[turn].Count >= share || !TryEvict(share))
            {
                return false;
            }

            // The one that lost its place may have had no other.
            isWaiting = _turnOf.TryGetValue(to, out turn);
        }

        if (!isWaiting)
        {
            turn = _turnCount++;
            _turns[turn] = new Turn(to, None, None, 0);
            _turnOf.Add(to, turn);
        }

        int place = _free;
        _free = repairs[place].Next;
        repairs[place] = new Repair(sequence, None);
        ref Turn own = ref _turns[turn];
        if (own.Last == None)
        {
            own.First = place;
        }
        else
        {
            repairs[own.Last].Next = place;
        }

        own.Last = place;
        own.Count++;
        Count++;
        _recent[IndexOf(sequence, to)] = new Recent(sequence, to, Queued, 0);
        return true;
    }

    /// <summary>Takes the oldest repair of the member whose turn it is.</summary>
    public bool TryTake(out ulong sequence, out NodeAddress to)
    {
        if (Count == 0)
        {
            sequence = 0;
            to = default;
            return false;
        }

        _hand = _hand < _turnCount ? _hand : 0;
        to = _turns[_hand].To;
        sequence = RemoveFirst(_hand, out bool isLast);
        _hand += isLast ? 0 : 1;
        return true;
    }

    /// <summary>It is the next member's turn.</summary>
    public void Pass() => _hand = _hand < _turnCount ? _hand + 1 : 1;

    /// <summary>A repair was sent.</summary>
    /// <param name="sequence">The packet.</param>
    /// <param name="to">The member.</param>
    /// <param name="nowNs">The time.</param>
    /// <param name="number">The repair's own number, from 1; 0 where nobody asks for it.</param>
    public void OnSent(ulong sequence, in NodeAddress to, long nowNs, ulong number = 0) =>
        _recent[IndexOf(sequence, to)] = new Recent(sequence, to, nowNs, number);

    private int IndexOf(ulong sequence, in NodeAddress to)
    {
        ulong state = (sequence * 0x9E3779B97F4A7C15) ^ to.High ^ to.Low ^ ((ulong)to.Port << 48);
        return (int)(DeterministicRandom.SplitMix(ref state) % (uint)recentMax);
    }

    private Repair[] Allocate()
    {
        _repairs = new Repair[capacity];
        for (int i = 0; i < capacity; i++)
        {
            _repairs[i].Next = i + 1;
        }

        _turns = new Turn[capacity];
        _recent = new Recent[recentMax];
        _turnOf.EnsureCapacity(capacity);
        return _repairs;
    }

    /// <summary>Takes the oldest place of a member that holds more than the share; false when nobody does.</summary>
    private bool TryEvict(int share)
    {
        for (int i = 0; i < _turnCount; i++)
        {
            int turn = (_hand + i) % _turnCount;
            if (_turns[turn].Count > share)
            {
                NodeAddress to = _turns[turn].To;
                ulong sequence = RemoveFirst(turn, out _);
                ref Recent recent = ref _recent[IndexOf(sequence, to)];
                if (recent.Sequence == sequence && recent.To == to)
                {
                    // It is owed no more: the next request for it counts.
                    recent = default;
                }

                return true;
            }
        }

        return false;
    }

    /// <summary>Removes a member's oldest repair. Without another it goes, and the last of the turns takes its place.</summary>
    private ulong RemoveFirst(int turn, out bool isLast)
    {
        ref Turn own = ref _turns[turn];
        int place = own.First;
        ulong sequence = _repairs![place].Sequence;
        own.First = _repairs[place].Next;
        own.Count--;
        isLast = own.Count == 0;
        _repairs[place].Next = _free;
        _free = place;
        Count--;
        if (isLast)
        {
            _turnOf.Remove(own.To);
            own = _turns[--_turnCount];
            if (turn < _turnCount)
            {
                _turnOf[own.To] = turn;
            }
        }

        return sequence;
    }

    private record struct Repair(ulong Sequence, int Next);

    private record struct Turn(NodeAddress To, int First, int Last, int Count);

    private readonly record struct Recent(ulong Sequence, NodeAddress To, long SentNs, ulong Number);
}
