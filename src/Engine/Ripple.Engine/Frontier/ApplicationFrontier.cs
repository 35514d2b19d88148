using Ripple.Engine.Core;
using Ripple.Engine.Frontier.Waits;

namespace Ripple.Engine.Frontier;

/// <summary>
/// The frontier of one application at one host: who has what, and everybody who waits for it. The owner changes <see cref="Table"/> as
/// reports and views arrive, and says so with <see cref="OnTableChanged"/> once a turn. Belongs to the core thread.
/// </summary>
internal sealed class ApplicationFrontier
{
    private long _seenVersion;

    /// <param name="table">The application's table.</param>
    /// <param name="loop">Gives the time and runs one alarm.</param>
    /// <param name="zone">This host's zone, for $MYWNODE and $MYAZWNODES; null for none.</param>
    public ApplicationFrontier(FrontierTable table, CoreLoop loop, string? zone = null)
    {
        Table = table;
        Waits = new FrontierWaits(table, loop, zone);
        _seenVersion = table.Version;
    }

    /// <summary>Who has what.</summary>
    public FrontierTable Table { get; }

    /// <summary>Who waits for a release.</summary>
    public FrontierWaits Waits { get; }

    /// <summary>
    /// Evaluates the waits, if the table changed since the last call. Callbacks run from here; what they change in the table is looked at
    /// the next time.
    /// </summary>
    public void OnTableChanged()
    {
        if (_seenVersion == Table.Version)
        {
            return;
        }

        _seenVersion = Table.Version;
        Waits.Evaluate();
    }

    /// <summary>Ends all waits without an answer.</summary>
    public void Close() => Waits.Close();
}
