namespace Ripple.Architecture.Tests.Documents;

/// <summary>The words of others that documents use: of .NET, Linux, tools and made-up examples. Remembers which were needed.</summary>
internal sealed class ForeignWords(IEnumerable<string> words)
{
    public const string Path = "tests/Ripple.Architecture.Tests/ForeignWords.txt";

    private readonly HashSet<string> _words = new(words, StringComparer.Ordinal);
    private readonly HashSet<string> _used = new(StringComparer.Ordinal);

    public static ForeignWords Load() =>
        new(Repository.Read(Path).ReplaceLineEndings("\n").Split('\n', StringSplitOptions.RemoveEmptyEntries));

    /// <summary>True for a word of the list, which is used from now on. Asked only for what the repository does not know itself.</summary>
    public bool Has(string word)
    {
        if (!_words.Contains(word))
        {
            return false;
        }

        _used.Add(word);
        return true;
    }

    /// <summary>The words that no document needs.</summary>
    public IEnumerable<string> Unused() => _words.Except(_used, StringComparer.Ordinal);
}
