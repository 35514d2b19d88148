using System.Text;

namespace Ripple.Mutants.Lists;

/// <summary>
/// Text of blocks that blank lines part; each line of a block is a name, a colon and a value. Lines that begin with # are for people.
/// </summary>
internal static class FieldBlocks
{
    public static List<FieldBlock> Parse(string text, string fileName)
    {
        var blocks = new List<FieldBlock>();
        FieldBlock? block = null;
        int number = 0;
        foreach (string line in text.Split('\n').Select(l => l.TrimEnd('\r')))
        {
            number++;
            if (string.IsNullOrWhiteSpace(line))
            {
                block = null;
            }
            else if (line[0] != '#')
            {
                int colon = line.IndexOf(": ", StringComparison.Ordinal);
                if (colon <= 0)
                {
                    throw new MutantException($"{fileName}:{number}: '{line}' is not 'name: value'.");
                }

                if (block is null)
                {
                    blocks.Add(block = new FieldBlock($"{fileName}:{number}"));
                }

                block.Add(line[..colon], line[(colon + 2)..].Trim());
            }
        }

        return blocks;
    }

    public static string Format(IEnumerable<FieldBlock> blocks)
    {
        var text = new StringBuilder();
        foreach (FieldBlock block in blocks)
        {
            text.Append(text.Length == 0 ? "" : "\n");
            foreach ((string name, string value) in block.Fields)
            {
                text.Append(name).Append(": ").Append(value).Append('\n');
            }
        }

        return text.ToString();
    }
}
