using System.Security.Cryptography;
using System.Text;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Drawing;

/// <summary>
/// Chance that depends on the seed and on the change alone: a line that comes or goes elsewhere moves no other mutant, and a mutant that is
/// left out is replaced by the next.
/// </summary>
internal static class DrawOrder
{
    private const int IdChars = 6;

    /// <summary>Where something comes in the order of a seed.</summary>
    public static string KeyOf(int seed, params string[] parts) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes($"{seed}\n{string.Join('\n', parts)}")));

    public static string IdOf(int seed, string room, string file, string line, string becomes) =>
        $"{room}-{KeyOf(seed, file, line, becomes)[..IdChars]}";

    /// <summary>
    /// Takes mutants of a room: one of each operator in turn, and of each operator in the order of the seed; one a line at most.
    /// </summary>
    public static List<Mutant> Take(IEnumerable<Mutant> candidates, string room, int seed, int count)
    {
        List<Queue<Mutant>> queues =
        [
            .. candidates.GroupBy(m => m.Class)
                .OrderBy(g => KeyOf(seed, room, g.Key), StringComparer.Ordinal)
                .Select(g => new Queue<Mutant>(g.OrderBy(m => KeyOf(seed, m.File, m.Line, m.Becomes), StringComparer.Ordinal))),
        ];
        var lines = new HashSet<(string, string)>();
        var taken = new List<Mutant>();
        while (taken.Count < count && queues.Exists(q => q.Count > 0))
        {
            foreach (Queue<Mutant> queue in queues)
            {
                while (queue.TryDequeue(out Mutant? mutant) && taken.Count < count)
                {
                    if (lines.Add((mutant.File, mutant.Line)))
                    {
                        taken.Add(mutant);
                        break;
                    }
                }
            }
        }

        return taken;
    }
}
