namespace Ripple.Mutants.Sources;

/// <summary>Lines of a source file, found by what they say and not by their number.</summary>
internal static class SourceLines
{
    /// <summary>How often a line occurs, without the spaces around it.</summary>
    public static int Count(string text, string line) => text.Split('\n').Count(l => l.Trim() == line);

    /// <summary>The index of the one line that says this; -1 when it is there more than once, or not at all.</summary>
    public static int IndexOf(string text, string line) =>
        Count(text, line) == 1 ? Array.FindIndex(text.Split('\n'), l => l.Trim() == line) : -1;

    /// <summary>The text with one line replaced; its indentation stays.</summary>
    public static string Replace(string text, int index, string becomes)
    {
        string[] lines = text.Split('\n');
        string line = lines[index];
        lines[index] = line[..(line.Length - line.TrimStart().Length)] + becomes;
        return string.Join('\n', lines);
    }
}
