using Ripple.Client;
using Ripple.Engine.Core;

namespace Ripple.Simulator.Oracles.Events;

/// <summary>The ranges that a program subscribed to, as numbers: whether a point is in them is a comparison.</summary>
internal readonly record struct EventBox(long FromX, long ToX, long FromY, long ToY)
{
    /// <summary>All values of a dimension are below it, and none is below 0.</summary>
    public const int Values = 100;

    /// <summary>
    /// The space, as it is published: with more values than an index has buckets, so that ranges begin and end within one, and what is in
    /// such a bucket is compared.
    /// </summary>
    public const string Space = "x:integer:0..300 y:integer:0..300";

    /// <summary>Draws one: narrow and wide ones, and every eighth time no range in y.</summary>
    public static EventBox Draw(DeterministicRandom random)
    {
        ArgumentNullException.ThrowIfNull(random);
        (long fromX, long toX) = DrawRange(random);
        (long fromY, long toY) = random.NextBool(0.125) ? (0, Values) : DrawRange(random);
        return new EventBox(fromX, toX, fromY, toY);
    }

    /// <summary>Whether a point is in it.</summary>
    public bool Has(long x, long y) => x >= FromX && x < ToX && y >= FromY && y < ToY;

    /// <summary>Says its ranges to a client; one that is open is not said.</summary>
    public void AddTo(RippleBox box)
    {
        ArgumentNullException.ThrowIfNull(box);
        box.Where("x", FromX, ToX);
        if (FromY > 0 || ToY < Values)
        {
            box.Where("y", FromY, ToY);
        }
    }

    private static (long From, long To) DrawRange(DeterministicRandom random)
    {
        long width = 1 + random.NextInt64(Values);
        long from = random.NextInt64(Values + 1 - width);
        return (from, from + width);
    }
}
