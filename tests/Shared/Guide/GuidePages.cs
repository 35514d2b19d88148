using System.Text;

namespace Ripple.Tests.Shared.Guide;

/// <summary>The pages of <c>docs/guide</c>, and what stands in them to be typed.</summary>
internal static class GuidePages
{
    private const string Fence = "```";

    /// <summary>The clone these tests run in.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>The file names of all pages.</summary>
    public static IReadOnlyList<string> All { get; } =
        [.. Directory.EnumerateFiles(Folder, "*.md").Select(p => Path.GetFileName(p)).Order(StringComparer.Ordinal)];

    private static string Folder => Path.Combine(Root, "docs", "guide");

    /// <summary>The fenced blocks of a page, in their order.</summary>
    public static IReadOnlyList<GuideBlock> Blocks(string page) => Read(page).Blocks;

    /// <summary>Lines of a page that are code by being indented alone: nobody says what they are.</summary>
    public static IReadOnlyList<string> IndentedCode(string page) => Read(page).Indented;

    private static (List<GuideBlock> Blocks, List<string> Indented) Read(string page)
    {
        var blocks = new List<GuideBlock>();
        var indented = new List<string>();
        string section = string.Empty;
        bool isAfterBlank = true;
        GuideBlock? open = null;
        int indent = 0;
        var text = new StringBuilder();
        foreach ((int index, string line) in File.ReadLines(Path.Combine(Folder, page)).Index())
        {
            string trimmed = line.TrimStart();
            bool isFence = trimmed.StartsWith(Fence, StringComparison.Ordinal);
            if (open is null && isFence)
            {
                // A block of a list's item is as far in as the item.
                indent = line.Length - trimmed.Length;
                open = new GuideBlock(page, section, index + 1, trimmed[Fence.Length..].Trim(), string.Empty);
            }
            else if (open is not null && isFence)
            {
                blocks.Add(open with { Text = text.ToString() });
                text.Clear();
                open = null;
            }
            else if (open is not null)
            {
                text.Append(line.AsSpan(Math.Min(indent, line.Length - trimmed.Length))).Append('\n');
            }
            else if (line.StartsWith('#'))
            {
                section = line.TrimStart('#').Trim();
            }
            else if (isAfterBlank && line.StartsWith("    ", StringComparison.Ordinal))
            {
                indented.Add($"{page}:{index + 1}: {trimmed}");
            }

            isAfterBlank = line.Length == 0;
        }

        return (blocks, indented);
    }

    private static string FindRoot()
    {
        DirectoryInfo folder = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Ripple.sln")))
        {
            folder = folder.Parent ?? throw new InvalidOperationException("The tests must run inside the repository.");
        }

        return folder.FullName;
    }
}
