using System.Globalization;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Quickstart.Showing;

/// <summary>A table that is drawn anew as releases spread, with the last lines that were said below it.</summary>
internal sealed class LiveDisplay : Display
{
    private const int RowsMax = 10;
    private const int LinesMax = 14;

    private readonly Lock _lock = new();
    private readonly SortedDictionary<ulong, ReleaseRow> _rows = [];
    private readonly List<string> _said = [];
    private readonly LiveDisplayContext _context;

    private LiveDisplay(LiveDisplayContext context) => _context = context;

    public static async Task RunLiveAsync(Func<Display, Task> story)
    {
        LiveDisplay? display = null;
        try
        {
            await AnsiConsole.Live(new Text(string.Empty)).AutoClear(true).StartAsync(context => story(display = new LiveDisplay(context)));
        }
        finally
        {
            // The live part shows the end only; everything is left on the terminal once it is over.
            if (display is not null)
            {
                AnsiConsole.Write(display.Draw(int.MaxValue));
            }
        }
    }

    public override void Say(string text)
    {
        lock (_lock)
        {
            _said.Add(text);
            Refresh();
        }
    }

    public override void Show(ReleaseRow row, bool isFinal)
    {
        lock (_lock)
        {
            _rows[row.Release] = row;
            Refresh();
        }
    }

    private void Refresh()
    {
        _context.UpdateTarget(Draw(LinesMax));
        _context.Refresh();
    }

    private Rows Draw(int linesMax)
    {
        var table = new Table().Border(TableBorder.Rounded).Title("Ripple");
        foreach (string title in (string[])["release", "bytes sent", "received", "persisted", "applied", "rejected", "ms to last"])
        {
            table.AddColumn(new TableColumn(title).RightAligned());
        }

        table.AddColumn("what");
        foreach (ReleaseRow row in _rows.Values.TakeLast(RowsMax))
        {
            table.AddRow(Cells(row));
        }

        return new Rows([table, .. _said.TakeLast(linesMax).Select(s => new Text(s))]);
    }

    private static IRenderable[] Cells(ReleaseRow row) =>
    [
        new Text(Number((long)row.Release)),
        new Text(Number(row.BytesSent)),
        new Text(Number(row.Received)),
        new Text(Number(row.Persisted)),
        new Text(Number(row.Applied), new Style(Color.Green)),
        new Text(Number(row.Rejected), row.Rejected > 0 ? new Style(Color.Red) : Style.Plain),
        new Text(row.LastMs?.ToString("0.0", CultureInfo.InvariantCulture) ?? "..."), new Text(row.What),
    ];

    private static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);
}
