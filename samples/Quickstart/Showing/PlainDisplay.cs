using System.Globalization;

namespace Quickstart.Showing;

/// <summary>Plain lines: a row when it is final.</summary>
internal sealed class PlainDisplay : Display
{
    private bool _hasHeader;

    public override void Say(string text) => Console.WriteLine(text);

    public override void Show(ReleaseRow row, bool isFinal)
    {
        if (!isFinal)
        {
            return;
        }

        if (!_hasHeader)
        {
            _hasHeader = true;
            Console.WriteLine(
                $"{"release",7} {"bytes sent",11} {"received",9} {"persisted",9} {"applied",8} {"rejected",8} {"ms to last",10}  what");
        }

        string last = row.LastMs?.ToString("0.0", CultureInfo.InvariantCulture) ?? "-";
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{row.Release,7} {row.BytesSent,11:N0} {row.Received,9} {row.Persisted,9} {row.Applied,8} "
                + $"{row.Rejected,8} {last,10}  {row.What}"));
    }
}
