using System.Text;

namespace Ripple.Guide.Tests.Terminals;

/// <summary>Bash, as in a terminal, but for a command that fails: it ends the block.</summary>
internal sealed class BashTerminal(ReaderHome home) : Terminal(home, "setsid", ["bash", "--noprofile", "--norc"])
{
    /// <summary>Commands that end when somebody ends them: each has a terminal of its own.</summary>
    private static readonly string[] Following = ["ripple subscribe ", "ripple monitor ", "ripple-host --data "];

    private const string Ending = "ended with";
    private int _followed;

    /// <summary>What ended in its own terminal as nobody meant it.</summary>
    public IEnumerable<string> Failed =>
        Enumerable.Range(1, _followed).Select(Followed).Where(log => log.Contains(Ending, StringComparison.Ordinal));

    protected override string Extension => ".sh";

    /// <summary>The log of what has a terminal of its own; the first is 1.</summary>
    public string Followed(int number) => File.ReadAllText(LogOf(number));

    /// <summary>True for a line that goes on until it is ended.</summary>
    public static bool IsFollowing(string line) =>
        Following.Any(f => line.StartsWith(f, StringComparison.Ordinal))
        && !line.Contains(" --count ", StringComparison.Ordinal)
        && !line.Contains(" --until ", StringComparison.Ordinal);

    protected override string Script(string text)
    {
        // The name of what failed is told; a pipe fails with its first part too.
        var script = new StringBuilder("set -Eeo pipefail\ntrap 'echo \"failed with $?: $BASH_COMMAND\"' ERR\n");
        foreach (string line in text.Split('\n'))
        {
            if (!IsFollowing(line))
            {
                script.Append(line).Append('\n');
                continue;
            }

            string log = LogOf(++_followed);
            script.Append($"{{ {line.Split(" #")[0]} || echo \"{Ending} $?\"; }} < /dev/null > {log} 2>&1 &\n");
            if (line.StartsWith("ripple-host ", StringComparison.Ordinal))
            {
                script.Append($"until grep -q -e ^ready -e 'stands by' {log}; do kill -0 $!; sleep 0.05; done\n");
            }
        }

        return script.Append("trap - ERR\nset +Ee +o pipefail\n").ToString();
    }

    protected override string Call(string path, string input, string answers) =>
        $". {path} < {input} 2>&1\necho\necho '{Ended}'\n";

    private string LogOf(int number) => Path.Combine(Home.Scratch, $"terminal-{number}.log");
}
