using Ripple.Attacks.Nodes;

namespace Ripple.Attacks.Roles;

/// <summary>The attacker's process as an attack sees it: what it was given, and its words with who judges.</summary>
internal sealed class Attacker(IReadOnlyDictionary<string, string> given, CancellationToken ending)
{
    private readonly List<IAsyncDisposable> _kept = [];

    /// <summary>Ended when the attack is over: what it holds open it holds until then.</summary>
    public CancellationToken Ending => ending;

    /// <summary>Where the host listens.</summary>
    public int Port => int.Parse(given["port"], System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>What the stage gave under this name: a connection string, or a value.</summary>
    public string Given(string name) => given.TryGetValue(name, out string? value)
        ? value
        : throw new AttackException($"The attacker was given no '{name}'.");

    /// <summary>Tells what it found, for the judgement.</summary>
    public static void Note(string name, string value) => Console.WriteLine($"note {name} {value.ReplaceLineEndings(" ")}");

    public static void Note(string name, long value) => Note(name, value.ToString(System.Globalization.CultureInfo.InvariantCulture));

    /// <summary>Asks the stage to do something, and waits until it is done.</summary>
    public static async Task AskAsync(string what)
    {
        Console.WriteLine($"ask {what}");
        while (await Console.In.ReadLineAsync() is { } line && line != "done")
        {
        }
    }

    /// <summary>A node that has joined and lives; it ends with the attack.</summary>
    public async Task<HandNode> MemberAsync(string connection, string name, bool isLive = true)
    {
        HandNode node = await HandNode.JoinAsync(Given(connection), name, ending);
        Keep(node);
        if (isLive)
        {
            node.Live(ending);
        }

        return node;
    }

    public void Keep(IAsyncDisposable what) => _kept.Add(what);
}
