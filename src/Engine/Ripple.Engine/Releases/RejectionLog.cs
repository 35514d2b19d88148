using System.Text;
using Ripple.Engine.Frontier;

namespace Ripple.Engine.Releases;

/// <summary>The releases of the present generation that a node rejected lately, oldest first. Core thread.</summary>
internal sealed class RejectionLog
{
    private const int CountMax = 64;
    private readonly List<RejectionRow> _rows = [];

    public IReadOnlyList<RejectionRow> Rows => _rows;

    /// <summary>The newest rejected release; 0 when there is none.</summary>
    public ulong NewestRelease => _rows.Count > 0 ? _rows[^1].Release : 0;

    /// <summary>Adds a rejection; the oldest one makes room for it.</summary>
    public void Add(uint topic, uint generation, ulong release, string reason)
    {
        if (_rows.Count == CountMax)
        {
            _rows.RemoveAt(0);
        }

        _rows.Add(new RejectionRow(topic, generation, release, Cut(reason)));
    }

    /// <summary>Forgets all: another generation begins.</summary>
    public void Clear() => _rows.Clear();

    private static string Cut(string reason)
    {
        while (Encoding.UTF8.GetByteCount(reason) > RejectionRow.ReasonBytesMax)
        {
            reason = reason[..(reason.Length * 3 / 4)];
        }

        return reason;
    }
}
