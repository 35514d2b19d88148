using Ripple.Engine.Core;
using Ripple.Engine.Frontier.Waits;

namespace Ripple.Engine.Frontier;

/// <summary>
/// The frontier of one application at one host: each member's progress, and the waits that depend on it. The owner changes
/// <see cref="Table"/> as reports and views arrive, then calls <see cref="OnTableChanged"/> once per turn. Belongs to the core thread.
/// </summary>
internal sealed class ApplicationFrontier
{
    private long _seenVersion;

    /// <param name="table">The application's table.</param>
    /// <param name="loop">Provides the time and runs one alarm.</param>
    /// <param name="zone">This host's zone, for $MYWNODE and $MYAZWNODES; null for none.</param>
    public ApplicationFrontier(FrontierTable table, CoreLoop loop, string? zone = null)
    {
        Table = table;
        Waits = new FrontierWaits(table, loop, zone);
        _seenVersion = table.Version;
    }

    /// <summary>The progress of each member.</summary>
    public FrontierTable Table { get; }

    /// <summary>The waits for releases.</summary>
    public FrontierWaits Waits { get; }

    /// <summary>
    /// Evaluates the waits if the table changed since the last call. Callbacks run from here; their changes to the table are evaluated at
    /// the next call.
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
