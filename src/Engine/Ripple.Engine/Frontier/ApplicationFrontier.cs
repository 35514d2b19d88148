using Ripple.Engine.Core;
using Ripple.Engine.Frontier.Waits;

namespace Ripple.Engine.Frontier;

/// <summary>
/// The frontier of one application at one host: each member's progress, and the waits that depend on it. The owner changes
/// <see cref="Table"/> as reports and views arrive, then calls <see cref="Look"/>. Belongs to the core thread.
/// </summary>
internal sealed class ApplicationFrontier
{
    /// <param name="table">The application's table.</param>
    /// <param name="loop">Provides the time and runs one alarm.</param>
    /// <param name="zone">This host's zone, for $MYWNODE and $MYAZWNODES; null for none.</param>
    /// <param name="onDue">Called when the time of a wait is up, to look then or soon; null to look at once.</param>
    public ApplicationFrontier(FrontierTable table, CoreLoop loop, string? zone = null, Action? onDue = null)
    {
        Table = table;
        Waits = new FrontierWaits(table, loop, zone, onDue);
    }

    /// <summary>The progress of each member.</summary>
    public FrontierTable Table { get; }

    /// <summary>The waits for releases.</summary>
    public FrontierWaits Waits { get; }

    /// <summary>
    /// Evaluates the waits that changes of the table since they were evaluated concern, and those whose time is up, until that is done or
    /// about so many values of rows were read; returns whether it is done. Callbacks run from here.
    /// </summary>
    public bool Look(long valuesMax) => Waits.Evaluate(valuesMax);

    /// <summary>Ends all waits without an answer.</summary>
    public void Close() => Waits.Close();
}
