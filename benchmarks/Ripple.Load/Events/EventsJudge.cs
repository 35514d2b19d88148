namespace Ripple.Load.Events;

/// <summary>
/// Compares what subscribers were shown with what they must be: which boxes have an event is reckoned from the numbers, and asks neither
/// host nor client.
/// </summary>
/// <param name="told">What emitters were told.</param>
/// <param name="boxesOf">The boxes that have an event, by its number.</param>
internal sealed class EventsJudge(ToldBook told, Func<int, IReadOnlyList<int>> boxesOf)
{
    /// <summary>What is wrong by now. What is on its way counts as lost, so it is asked again until it does not change.</summary>
    public EventsVerdict Judge(IReadOnlyCollection<Witness> witnesses)
    {
        var verdict = new EventsVerdict { Twice = witnesses.Sum(w => w.Book.Twice), Dropped = witnesses.Sum(w => w.Book.Dropped) };
        for (int number = 0; number < told.Events; number++)
        {
            IReadOnlyList<int> boxes = told.IsBegun(number) ? boxesOf(number) : [];
            (int asked, int shown) = (0, 0);
            foreach (Witness witness in witnesses)
            {
                int[] own = [.. boxes.Where(b => b >= witness.FirstBox && b < witness.FirstBox + witness.Boxes)];
                int has = own.Count(b => witness.Book.Has(number, b));
                verdict.Lost += witness.Must(number) ? own.Length - has : 0;
                verdict.Strange += witness.Book.CountOf(number) - has;
                (asked, shown) = witness.IsLasting ? (asked + own.Length, shown + has) : (asked, shown);
            }

            // Nobody was told that it is accepted: all get it or none.
            verdict.Partial += shown > 0 && !told.Is(number, EmitUntil.Accepted) ? asked - shown : 0;
            verdict.Again += boxes.Sum(b => Math.Max(0, witnesses.Count(w => w.Book.Has(number, b)) - 1));
        }

        return verdict;
    }
}

/// <summary>A process that subscribes, or that did until it was killed.</summary>
/// <param name="Book">What its boxes were shown.</param>
/// <param name="FirstBox">The first of its boxes.</param>
/// <param name="Boxes">Their number.</param>
/// <param name="Must">Whether its boxes must be shown an event that they have.</param>
/// <param name="IsLasting">Whether it was there from the beginning to the end.</param>
internal sealed record Witness(ShownBook Book, int FirstBox, int Boxes, Func<int, bool> Must, bool IsLasting);

/// <summary>What came of the events, in boxes.</summary>
internal sealed class EventsVerdict
{
    /// <summary>Not shown to a box that must be.</summary>
    public long Lost { get; set; }

    /// <summary>Shown to a box again, by the same process.</summary>
    public long Twice { get; set; }

    /// <summary>Shown to a box that does not have the event, or by nobody's emitting.</summary>
    public long Strange { get; set; }

    /// <summary>Of events that nobody was told are accepted: not shown to a box, and shown to another.</summary>
    public long Partial { get; set; }

    /// <summary>Shown to a box by the process that was killed, and by the one that took its place.</summary>
    public long Again { get; set; }

    /// <summary>Dropped by full queues, and told.</summary>
    public long Dropped { get; set; }

    /// <summary>Nothing is wrong that must not be.</summary>
    public bool IsWell => Lost == 0 && Twice == 0 && Strange == 0 && Partial == 0;
}
