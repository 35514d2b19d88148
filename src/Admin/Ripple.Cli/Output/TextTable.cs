using System.Text;
using Ripple.Trust;

namespace Ripple.Cli.Output;

/// <summary>Columns of text, as wide as their contents. Never wraps, so that other programs can process the lines.</summary>
/// <param name="headers">The headings; a leading <c>&gt;</c> marks a column of numbers, which is right-aligned.</param>
internal sealed class TextTable(params string[] headers)
{
    private readonly List<string[]> _rows = [];

    public void Add(params string[] cells) => _rows.Add([.. cells.Select(ShownText.Line)]);

    public void Write(TextWriter writer)
    {
        foreach (string line in Lines())
        {
            writer.WriteLine(line);
        }
    }

    public IEnumerable<string> Lines()
    {
        string[] heads = [.. headers.Select(h => h.TrimStart('>'))];
        int[] widths = [.. heads.Select((head, i) => _rows.Select(r => r[i].Length).Append(head.Length).Max())];
        foreach (string[] row in _rows.Prepend(heads))
        {
            var line = new StringBuilder();
            for (int i = 0; i < row.Length; i++)
            {
                line.Append(headers[i].StartsWith('>') ? row[i].PadLeft(widths[i]) : row[i].PadRight(widths[i])).Append("  ");
            }

            yield return line.ToString().TrimEnd();
        }
    }
}
