#pragma warning disable CA1034, CA1815, CA1032, CA2225
using System.Text.RegularExpressions;

namespace System.Management.Automation
{
    public readonly struct SwitchParameter(bool isPresent)
    {
        public bool IsPresent { get; } = isPresent;

        public static implicit operator SwitchParameter(bool value) => new(value);

        public static implicit operator bool(SwitchParameter value) => value.IsPresent;
    }

    public sealed class PSObject(object value)
    {
        public object BaseObject { get; } = value;
    }

    public sealed class PipelineStoppedException : Exception;

    public enum ErrorCategory
    {
        NotSpecified,
        AuthenticationError,
        ConnectionError,
        InvalidArgument,
        InvalidData,
        InvalidOperation,
        LimitsExceeded,
        ObjectNotFound,
        OperationTimeout,
        PermissionDenied,
        ReadError,
        ResourceBusy,
        ResourceExists,
        ResourceUnavailable,
    }

    public sealed class ErrorRecord(Exception exception, string errorId, ErrorCategory errorCategory, object? targetObject)
    {
        public Exception Exception { get; } = exception;

        public string FullyQualifiedErrorId { get; } = errorId;

        public ErrorCategory Category { get; } = errorCategory;

        public object? TargetObject { get; } = targetObject;

        public ErrorDetails? ErrorDetails { get; set; }
    }

    public sealed class ErrorDetails(string message)
    {
        public string Message { get; } = message;
    }

    public enum ProgressRecordType
    {
        Processing,
        Completed,
    }

    public sealed class ProgressRecord(int activityId, string activity, string statusDescription)
    {
        public int ActivityId { get; } = activityId >= 0 ? activityId : throw new ArgumentOutOfRangeException(nameof(activityId));

        public string Activity { get; } = activity;

        public string StatusDescription { get; } = statusDescription.Length > 0
            ? statusDescription
            : throw new ArgumentException("It may not be empty.", nameof(statusDescription));

        public int PercentComplete
        {
            get;
            set => field = value <= 100 ? value : throw new ArgumentOutOfRangeException(nameof(value));
        }

        public ProgressRecordType RecordType { get; set; }
    }

    public enum WildcardOptions
    {
        None,
        IgnoreCase,
    }

    /// <summary>Stars and question marks; the brackets of the real one are not used by tests.</summary>
    public sealed class WildcardPattern(string pattern, WildcardOptions options)
    {
        private readonly Regex _regex = new(
            $"^{Regex.Escape(pattern).Replace("\\*", ".*", StringComparison.Ordinal).Replace("\\?", ".", StringComparison.Ordinal)}$",
            RegexOptions.Singleline | RegexOptions.CultureInvariant | (options == WildcardOptions.IgnoreCase
                ? RegexOptions.IgnoreCase
                : RegexOptions.None));

        public static bool ContainsWildcardCharacters(string pattern) => pattern.IndexOfAny(['*', '?', '[', ']']) >= 0;

        public bool IsMatch(string input) => _regex.IsMatch(input);
    }

    public enum CompletionResultType
    {
        ParameterValue,
    }

    public sealed class CompletionResult(string completionText, string listItemText, CompletionResultType resultType, string toolTip)
    {
        public string CompletionText { get; } = completionText;

        public string ListItemText { get; } = listItemText;

        public CompletionResultType ResultType { get; } = resultType;

        public string ToolTip { get; } = toolTip;
    }

    public interface IArgumentCompleter
    {
        IEnumerable<CompletionResult> CompleteArgument(
            string commandName,
            string parameterName,
            string wordToComplete,
            Language.CommandAst commandAst,
            Collections.IDictionary fakeBoundParameters);
    }
}

namespace System.Management.Automation.Language
{
    public sealed class CommandAst;
}
